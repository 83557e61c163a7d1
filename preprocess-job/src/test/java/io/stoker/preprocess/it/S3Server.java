package io.stoker.preprocess.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** The S3 server of {@code scripts/s3-server} as a process. Buckets are directories. */
final class S3Server {
  // The script's own defaults.
  static final String ID = "stoker-demo";
  static final String SECRET = "stoker-demo-secret";

  /** What clients sign with, as environment variables. */
  static final Map<String, String> CREDENTIALS =
      Map.of("AWS_ACCESS_KEY_ID", ID, "AWS_SECRET_ACCESS_KEY", SECRET);

  private static final Duration START = Duration.ofMinutes(2);
  private static final int CONNECT_MILLIS = 500;

  private final Path data;
  private final int port;

  private S3Server(Path data, int port) {
    this.data = data;
    this.port = port;
  }

  static S3Server start(Processes processes, Path script, Path data) {
    int port = freePort();
    Processes.Started started =
        processes.start(
            List.of(script.toString(), data.toString(), Integer.toString(port)), CREDENTIALS);
    Processes.await(started, START, () -> accepts(port));
    return new S3Server(data, port);
  }

  int port() {
    return port;
  }

  String endpoint() {
    return endpoint(port);
  }

  static String endpoint(int port) {
    return "http://127.0.0.1:" + port;
  }

  /** Hadoop's settings for a server; shards are long enough for several parts. */
  static Map<String, String> settings(int port) {
    return Map.of(
        "fs.s3a.endpoint", endpoint(port),
        "fs.s3a.endpoint.region", "us-east-1",
        "fs.s3a.path.style.access", "true",
        "fs.s3a.multipart.size", "5242880");
  }

  /** The settings of this server as options of spark-submit. */
  String[] sparkOptions() {
    return settings(port).entrySet().stream()
        .flatMap(e -> Stream.of("--conf", "spark.hadoop.%s=%s".formatted(e.getKey(), e.getValue())))
        .toArray(String[]::new);
  }

  /** Puts a directory tree into a new bucket. Files copied there by hand would have no ETag. */
  void upload(Path tree, String bucket, String prefix) throws IOException {
    try (S3Client client =
            // The platform keeps connections longer than the server does, and shares them among
            // clients.
            S3Client.builder()
                .httpClient(ApacheHttpClient.create())
                .endpointOverride(URI.create(endpoint()))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(
                    StaticCredentialsProvider.create(AwsBasicCredentials.create(ID, SECRET)))
                .build();
        Stream<Path> files = Files.walk(tree)) {
      client.createBucket(request -> request.bucket(bucket));
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        client.putObject(
            request -> request.bucket(bucket).key(prefix + "/" + tree.relativize(file)), file);
      }
    }
  }

  /** The directory that is a bucket. */
  Path bucket(String name) {
    return data.resolve(name);
  }

  /** A port that was free a moment ago. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether something listens on a port of loopback. */
  static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
