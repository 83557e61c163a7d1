package io.stoker.preprocess.commit;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * How many rejected rows a job tolerates.
 *
 * @param maxFraction share of all rows, 0 to 1
 * @param minTolerated rows that are tolerated whatever their share
 */
public record RejectLimits(double maxFraction, long minTolerated) {
  /** Most rejected rows of a job with this many rows. */
  public long tolerated(long rows) {
    // In decimal, as the fraction was written: 0.29 * 100 is less than 29 in binary.
    BigDecimal share = BigDecimal.valueOf(maxFraction).multiply(BigDecimal.valueOf(rows));
    return Math.max(minTolerated, share.longValue());
  }

  /** What to say of rejected rows that are tolerated although their share is too large. */
  public Optional<String> warning(long rejected, long rows) {
    return rejected <= tolerated(rows) && rejected > maxFraction * rows
        ? Optional.of(
            "stoker: WARNING: %,d of %,d rows were rejected, more than rejects.max-fraction; tolerated only because rejects.min-tolerated is %,d"
                .formatted(rejected, rows, minTolerated))
        : Optional.empty();
  }
}
