/**
 * Integration tests: the submitted job, an S3 server and a Spark cluster as processes of their own,
 * and what stands in the datasets that come out. Nothing here is a stand-in; the only thing between
 * the processes is a relay that counts requests.
 */
@NullMarked
package io.stoker.preprocess.it;

import org.jspecify.annotations.NullMarked;
