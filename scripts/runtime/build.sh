# Sourced by scripts that run what is built here.

# build: builds, and sets $jar to the job's jar and $spark to the Spark installation. STOKER_BUILT=true says that
# it is built already: the tests say so, because they run the scripts in the middle of a build.
build() {
  if [ "${STOKER_BUILT:-}" != true ]; then
    (cd "$top" && mvn -B -q -DskipTests package) || return
  fi
  jar=$(ls "$top"/preprocess-job/target/preprocess-job-*-job.jar)
  spark=${SPARK_HOME:-$here/runtime/spark/target/spark}
}

# json FILE POINTER...: the values at these JSON pointers, one per line. Scripts read reports with it and never
# printed words, which may change.
json() {
  java -XX:TieredStopAtLevel=1 -cp "$spark/jars/*" "$here/runtime/Json.java" "$@"
}
