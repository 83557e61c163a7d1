package io.stoker.preprocess.task;

import io.stoker.preprocess.fetch.Fetcher;
import io.stoker.preprocess.fetch.MediaResolver;
import io.stoker.preprocess.sample.SampleParser;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.text.TextEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * What lives as long as an executor and is shared by its tasks: the tokenizer, the threads that
 * fetch, the output store. Built by the first task of a job, closed by {@link #close} or with the
 * process.
 */
public final class WorkerResources {
  // The one mutable static of the job: Spark gives a task no other place that outlives it.
  private static final ConcurrentMap<String, WorkerResources> BY_JOB = new ConcurrentHashMap<>();

  private final SampleParser parser;
  private final MediaResolver resolver;
  private final Fetcher fetcher;
  private final TextEncoder encoder;
  private final OutputStore output;
  private final Lock oneAtATime = new ReentrantLock();

  private WorkerResources(JobSpec spec, int cores, Configuration configuration) throws IOException {
    NativeCache.prepare();
    this.parser = new SampleParser(spec.stages().sample());
    this.resolver = new MediaResolver(spec.stages().fetch(), spec.manifestDirectories());
    this.output = new OutputStore(spec.output(), configuration);
    this.encoder = new TextEncoder(spec.model(), spec.stages().text());
    this.fetcher = new Fetcher(spec.stages().fetch(), cores, configuration);
  }

  /**
   * The resources of a job in this process.
   *
   * @param cores tasks that run at the same time in this process
   */
  public static WorkerResources of(JobSpec spec, int cores, Configuration configuration) {
    return BY_JOB.computeIfAbsent(
        spec.jobId(),
        id -> {
          try {
            return new WorkerResources(spec, cores, configuration);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Frees what a job holds in this process, if anything. */
  public static void close(String jobId) {
    @Nullable WorkerResources resources = BY_JOB.remove(jobId);
    if (resources != null) {
      resources.fetcher.close();
      resources.encoder.close();
    }
  }

  SampleParser parser() {
    return parser;
  }

  MediaResolver resolver() {
    return resolver;
  }

  Fetcher fetcher() {
    return fetcher;
  }

  TextEncoder encoder() {
    return encoder;
  }

  public OutputStore output() {
    return output;
  }

  /** Held by careful attempts while they work on a row. */
  public Lock oneAtATime() {
    return oneAtATime;
  }
}
