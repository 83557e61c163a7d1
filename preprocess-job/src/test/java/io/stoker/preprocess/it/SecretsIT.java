package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.it.Processes.Ended;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Puts secrets into every place that may hold one, and looks for them in all that a job leaves. */
@ExtendWith(Lab.Resolver.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecretsIT {
  private static final String BUCKET = "secrets";
  private static final String TOKEN = "canary-session-token";
  private static final String IN_ENVIRONMENT = "canary-environment";
  private static final String IN_MANIFEST = "canary-manifest";

  private final Lab lab;

  SecretsIT(Lab lab) {
    this.lab = lab;
  }

  private Submission submission(String output, Path events) throws IOException {
    Files.createDirectories(events);
    return new Submission(lab.processes())
        .quick()
        .set("input.manifests", "s3://" + BUCKET + "/in/m.jsonl")
        .set("model.path", Lab.EXAMPLES.resolve("model").toString())
        .output("s3://" + BUCKET + "/" + output)
        .master("local[2]")
        .environment(
            Map.of(
                "AWS_ACCESS_KEY_ID", IN_ENVIRONMENT + "-id",
                "AWS_SECRET_ACCESS_KEY", IN_ENVIRONMENT + "-key",
                "AWS_SESSION_TOKEN", IN_ENVIRONMENT + "-token"))
        .spark("--conf", "spark.eventLog.enabled=true")
        .spark("--conf", "spark.eventLog.compress=false")
        .spark("--conf", "spark.eventLog.dir=file:" + events)
        .spark("--conf", "spark.hadoop.fs.s3a.endpoint=" + lab.server().endpoint())
        .spark("--conf", "spark.hadoop.fs.s3a.endpoint.region=us-east-1")
        .spark("--conf", "spark.hadoop.fs.s3a.path.style.access=true")
        .spark("--conf", "spark.hadoop.fs.s3a.access.key=" + S3Server.ID)
        .spark("--conf", "spark.hadoop.fs.s3a.session.token=" + TOKEN);
  }

  private void upload() throws IOException {
    Path tree = Files.createDirectories(lab.path("tree-secrets"));
    Files.copy(Lab.EXAMPLES.resolve("images/table/coffee.jpg"), tree.resolve("i"));
    List<String> images =
        List.of(
            "i",
            "s3a://%1$s:%1$s/%1$s@bucket/x".formatted(IN_MANIFEST),
            "i?X-Amz-Credential=%1$s&X-Amz-Signature=%1$s".formatted(IN_MANIFEST),
            "https://host/i?sig=" + IN_MANIFEST);
    List<String> lines = new ArrayList<>();
    for (String image : images) {
      lines.add("{\"image\":\"%s\",\"question\":\"q\",\"answer\":\"a\"}".formatted(image));
    }
    Files.write(tree.resolve("m.jsonl"), lines);
    lab.server().upload(tree, BUCKET, "in");
  }

  @Test
  void noneIsLeftAnywhere() throws IOException {
    upload();
    Path events = lab.path("events");
    Ended good =
        submission("good", events)
            .spark("--conf", "spark.hadoop.fs.s3a.secret.key=" + S3Server.SECRET)
            .runExpecting(0);
    // Refused by the server: the message must not say what was wrong with which key.
    Ended bad =
        submission("bad", events)
            .spark("--conf", "spark.hadoop.fs.s3a.secret.key=canary-wrong-key")
            .run();
    assertTrue(bad.exitCode() != 0, bad::toString);
    Path output = lab.server().bucket(BUCKET).resolve("good");
    List<String> left = new ArrayList<>(List.of(good.toString(), bad.toString()));
    for (Path root : List.of(events, output)) {
      try (Stream<Path> tree = Files.walk(root)) {
        for (Path file : tree.filter(Files::isRegularFile).toList()) {
          left.add(text(file));
        }
      }
    }
    assertTrue(left.size() > 6, "outputs and two event logs");
    assertEquals(3, DatasetFiles.at(output).rejects().size());
    List<String> found = new ArrayList<>();
    for (String text : left) {
      for (String secret :
          List.of(S3Server.SECRET, TOKEN, IN_ENVIRONMENT, IN_MANIFEST, "canary-wrong-key")) {
        int at = text.indexOf(secret);
        if (at >= 0) {
          found.add(text.substring(Math.max(0, at - 200), Math.min(text.length(), at + 60)));
        }
      }
    }
    assertEquals(List.of(), found);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }
}
