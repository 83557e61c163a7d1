package io.stoker.preprocess.bench.ladder;

import io.stoker.format.PixelLayout;
import io.stoker.preprocess.bench.Effort;
import io.stoker.preprocess.bench.Photographs;
import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.decode.Decoder;
import io.stoker.preprocess.decode.ImageHeader;
import io.stoker.preprocess.decode.ImageHeaders;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.vision.Grid;
import io.stoker.preprocess.vision.ImageProcessor;
import io.stoker.preprocess.vision.PixelEncoder;
import io.stoker.preprocess.vision.ResizeKernel;
import io.stoker.preprocess.vision.SimdPath;
import io.stoker.preprocess.vision.VisionSettings;
import java.net.URI;
import java.util.List;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What an online data loader does per sample: get the picture from the store, decode, resize, cut
 * into patches, normalise to the float32 tensor that the reference processor returns. Not
 * thread-safe except for {@link #fetch}.
 */
final class SampleMaker implements AutoCloseable {
  /** Pictures of the data set; later samples see them again. */
  static final int PICTURES = Effort.of(160, 24);

  private static final List<Double> HALF = List.of(0.5, 0.5, 0.5);
  private static final VisionSettings SETTINGS =
      new VisionSettings(65_536, 16_777_216, 16, 2, 2, HALF, HALF, ResizeKernel.TORCH);

  private final S3Client store;
  private final String bucket;
  private final Decoder decoder = new Decoder(DecodeSettings.defaults());
  private final ImageProcessor processor = new ImageProcessor(SETTINGS, SimdPath.AUTO);
  private final PixelEncoder encoder =
      new PixelEncoder(SETTINGS.valueTable(), PixelLayout.of("float32", "duplicated"));
  private byte[] patches = new byte[0];

  SampleMaker(String endpoint, String bucket) {
    this.bucket = bucket;
    this.store =
        S3Client.builder()
            .httpClient(UrlConnectionHttpClient.create())
            .endpointOverride(URI.create(endpoint))
            .forcePathStyle(true)
            .build();
  }

  byte[] fetch(int sample) {
    return store
        .getObjectAsBytes(get -> get.bucket(bucket).key(Photographs.key(sample % PICTURES)))
        .asByteArrayUnsafe();
  }

  /** The tensor [patches, 1536] as float32, little-endian. */
  byte[] process(byte[] encoded) throws SampleRejectedException {
    ImageHeader header = ImageHeaders.read(encoded, DecodeSettings.defaults());
    Grid grid = processor.grid(header.displayedHeight(), header.displayedWidth());
    int bytes = grid.patches() * 768;
    if (patches.length < bytes) {
      patches = new byte[bytes];
    }
    processor.patches(decoder.decode(encoded, header), grid, patches, 0);
    byte[] tensor = new byte[grid.patches() * encoder.bytesPerPatch()];
    encoder.encode(patches, 0, grid.patches(), tensor, 0);
    return tensor;
  }

  @Override
  public void close() {
    decoder.close();
    store.close();
  }
}
