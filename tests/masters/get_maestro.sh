#!/usr/bin/env bash
# Gets Maestro, the co-simulation engine of INTO-CPS, from Maven Central into build/maestro, for
# mechfmu.couple.masters.maestro. Needs mvn and java (Debian: maven, default-jre-headless). Maestro is under the GPL and is not part of mechfmu.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

artifact=org.into-cps.maestro:maestro:3.1.1:jar:jar-with-dependencies
plugin=org.apache.maven.plugins:maven-dependency-plugin:3.6.1
folder=$PWD/build/maestro

if [ -e "$folder/maestro-3.1.1-jar-with-dependencies.jar" ]; then
  echo "get_maestro: nothing missing"
  exit
fi
for program in mvn java; do
  command -v "$program" >/dev/null || { echo "get_maestro: there is no $program" >&2; exit 1; }
done
mkdir -p "$folder"
mvn --quiet --batch-mode "$plugin:get" -Dartifact="$artifact" -Dtransitive=false
mvn --quiet --batch-mode "$plugin:copy" -Dartifact="$artifact" -DoutputDirectory="$folder"
echo "get_maestro: $(find "$folder" -name 'maestro-*.jar')"
