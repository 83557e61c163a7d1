package io.stoker.preprocess.store;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/**
 * Multipart uploads that killed jobs began on S3. Their parts are invisible and cost money until
 * somebody aborts them. Other file systems have none.
 */
public final class PendingUploads {
  private final FileSystem fileSystem;
  private final Path root;

  PendingUploads(FileSystem fileSystem, Path root) {
    this.fileSystem = fileSystem;
    this.root = root;
  }

  /**
   * An upload under way or abandoned.
   *
   * @param key of the object that it would have become
   * @param id given by the store
   * @param initiated when it began, by the store's clock
   */
  public record Upload(String key, String id, Instant initiated) {}

  /**
   * The uploads that were begun before an instant.
   *
   * @throws IOException if the store does not list them
   */
  public List<Upload> olderThan(Instant limit) throws IOException {
    if (!(fileSystem instanceof S3AFileSystem s3a)) {
      return List.of();
    }
    List<Upload> uploads = new ArrayList<>();
    try {
      for (MultipartUpload upload :
          client(s3a)
              .listMultipartUploadsPaginator(
                  request -> request.bucket(s3a.getBucket()).prefix(prefix()))
              .uploads()) {
        if (upload.initiated().isBefore(limit)) {
          uploads.add(new Upload(upload.key(), upload.uploadId(), upload.initiated()));
        }
      }
    } catch (SdkException e) {
      throw new IOException("cannot list pending uploads: " + e.getMessage(), e);
    }
    return uploads;
  }

  /** Ends an upload and frees its parts. */
  public void abort(Upload upload) throws IOException {
    if (fileSystem instanceof S3AFileSystem s3a) {
      try {
        var unused =
            client(s3a)
                .abortMultipartUpload(
                    request ->
                        request.bucket(s3a.getBucket()).key(upload.key()).uploadId(upload.id()));
      } catch (SdkException e) {
        throw new IOException(
            "cannot abort the upload of %s: %s".formatted(upload.key(), e.getMessage()), e);
      }
    }
  }

  private String prefix() {
    String key = root.toUri().getPath().replaceFirst("^/", "");
    return key.isEmpty() ? "" : key + "/";
  }

  private static S3Client client(S3AFileSystem s3a) {
    return s3a.getS3AInternals().getAmazonS3Client("pending uploads");
  }
}
