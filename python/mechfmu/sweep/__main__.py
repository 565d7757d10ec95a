import sys

from .command import main

if __name__ == "__main__":  # workers also import it
    sys.exit(main())
