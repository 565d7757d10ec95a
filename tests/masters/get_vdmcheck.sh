#!/usr/bin/env bash
# Gets VDMCheck2 from Maven Central into build/vdmcheck, for tests/masters/test_vdmcheck.py. Needs mvn, java
# and unzip (Debian: maven, default-jre-headless, unzip). VDMCheck is under the GPL and is not part of mechfmu.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

artifact=org.into-cps.vdmcheck.fmi2:vdmcheck2:1.1.3:zip:distribution-rules
plugin=org.apache.maven.plugins:maven-dependency-plugin:3.6.1
folder=build/vdmcheck

if [ -n "$(find "$folder" -name VDMCheck2.sh 2>/dev/null)" ]; then
  echo "get_vdmcheck: nothing missing"
  exit
fi
for program in mvn java unzip; do
  command -v "$program" >/dev/null || { echo "get_vdmcheck: there is no $program" >&2; exit 1; }
done
mkdir -p "$folder"
mvn --quiet --batch-mode "$plugin:get" -Dartifact="$artifact" -Dtransitive=false
mvn --quiet --batch-mode "$plugin:copy" -Dartifact="$artifact" -DoutputDirectory="$PWD/$folder"
unzip -qo "$folder"/vdmcheck2-*.zip -d "$folder"
echo "get_vdmcheck: $(find "$folder" -name 'VDMCheck2.sh')"
