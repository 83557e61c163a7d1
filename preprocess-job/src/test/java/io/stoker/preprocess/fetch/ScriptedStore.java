package io.stoker.preprocess.fetch;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose answers a test gives, object by object and when it likes. Thread-safe. */
final class ScriptedStore implements ObjectStore {
  private interface Answer {
    byte[] get() throws Exception;
  }

  private static final class Script {
    final CountDownLatch asked = new CountDownLatch(1);
    final CountDownLatch answered = new CountDownLatch(1);
    final CountDownLatch interrupted = new CountDownLatch(1);
    volatile Answer answer = () -> new byte[0];
  }

  private final Map<String, Script> scripts = new ConcurrentHashMap<>();
  private final AtomicInteger outstanding = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @Override
  public byte[] get(MediaSource.Stored source, long maxBytes) throws IOException {
    Script script = script(source.key());
    most.accumulateAndGet(outstanding.incrementAndGet(), Math::max);
    script.asked.countDown();
    try {
      script.answered.await();
      return script.answer.get();
    } catch (InterruptedException e) {
      script.interrupted.countDown();
      throw new IOException("interrupted", e);
    } catch (Exception e) {
      throw ScriptedStore.<RuntimeException>sneaky(e);
    } finally {
      outstanding.decrementAndGet();
    }
  }

  // The seam declares both kinds of exceptions; which one a test means is the test's choice.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E sneaky(Exception e) throws E {
    throw (E) e;
  }

  private Script script(String key) {
    return scripts.computeIfAbsent(key, k -> new Script());
  }

  void answer(String key, byte[] bytes) {
    script(key).answer = () -> bytes;
    script(key).answered.countDown();
  }

  void fail(String key, Exception e) {
    script(key).answer =
        () -> {
          throw e;
        };
    script(key).answered.countDown();
  }

  void awaitAsked(String key) throws InterruptedException {
    script(key).asked.await();
  }

  void awaitInterrupted(String key) throws InterruptedException {
    script(key).interrupted.await();
  }

  boolean wasAsked(String key) {
    return script(key).asked.getCount() == 0;
  }

  /** Most requests that were under way at the same time. */
  int mostOutstanding() {
    return most.get();
  }
}
