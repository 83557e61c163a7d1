# Sourced by scripts that need an S3 server of their own for as long as they run.

# lab_start DIRECTORY BUCKET [KEY=VALUE ...]: starts the server with an empty bucket, and exports what Hadoop and
# the reader need to find it. STOKER_S3_HOST is the address it listens on, 127.0.0.1 by default. Sets lab_server,
# which the caller ends.
lab_start() {
  local directory=$1 bucket=$2 host=${STOKER_S3_HOST:-127.0.0.1} port
  shift 2
  lab_listens() { (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; }
  port=$((20000 + RANDOM % 20000))
  while lab_listens; do port=$((20000 + RANDOM % 20000)); done
  mkdir -p "$directory/s3/$bucket" "$directory/hadoop"
  export AWS_ACCESS_KEY_ID=stoker-demo AWS_SECRET_ACCESS_KEY=stoker-demo-secret
  "$here/s3-server" "$directory/s3" "$port" "$@" 2>"$directory/s3-server.log" &
  lab_server=$!
  for _ in $(seq 100); do
    lab_listens && break
    kill -0 "$lab_server" 2>/dev/null || break
    sleep 0.2
  done
  if ! lab_listens; then
    echo "the S3 server did not start within 20 s, see $directory/s3-server.log" >&2
    return 1
  fi
  cat >"$directory/hadoop/core-site.xml" <<END
<configuration>
  <property><name>fs.s3a.endpoint</name><value>http://$host:$port</value></property>
  <property><name>fs.s3a.endpoint.region</name><value>us-east-1</value></property>
  <property><name>fs.s3a.path.style.access</name><value>true</value></property>
</configuration>
END
  export HADOOP_CONF_DIR=$directory/hadoop
  # For the reader, which knows no Hadoop.
  export AWS_ENDPOINT_URL=http://$host:$port AWS_REGION=us-east-1
}

# lab_put FILE_OR_DIRECTORY... BUCKET: uploads.
lab_put() {
  java -cp "$HADOOP_CONF_DIR:$(ls "$top"/preprocess-job/target/preprocess-job-*-job.jar):${SPARK_HOME:-$here/runtime/spark/target/spark}/jars/*" \
    "-Dlog4j2.configurationFile=$top/conf/log4j2.properties" \
    org.apache.hadoop.fs.FsShell -put -t 4 "${@:1:$#-1}" "s3a://${*: -1}/"
}
