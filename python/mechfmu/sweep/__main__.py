import sys

from .command import main

if __name__ == "__main__":  # workers import it, too
    sys.exit(main())
