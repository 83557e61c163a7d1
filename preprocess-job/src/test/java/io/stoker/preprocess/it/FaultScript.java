package io.stoker.preprocess.it;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which exchanges of a relay go wrong, and how. The first rule that says so decides. Thread-safe.
 */
final class FaultScript {
  private final List<Rule> rules = new CopyOnWriteArrayList<>();

  private record Rule(Pattern request, IntPredicate which, Fault fault, AtomicInteger seen) {}

  /**
   * Adds a rule.
   *
   * @param request regular expression, found in {@code METHOD /bucket/key?query}, still
   *     percent-encoded
   * @param which of the matching requests, counted from 1
   */
  FaultScript on(String request, IntPredicate which, Fault fault) {
    rules.add(new Rule(Pattern.compile(request), which, fault, new AtomicInteger()));
    return this;
  }

  FaultScript first(int count, String request, Fault fault) {
    return on(request, n -> n <= count, fault);
  }

  FaultScript always(String request, Fault fault) {
    return on(request, n -> true, fault);
  }

  @Nullable Fault next(String request) {
    for (Rule rule : rules) {
      if (rule.request().matcher(request).find()
          && rule.which().test(rule.seen().incrementAndGet())) {
        return rule.fault();
      }
    }
    return null;
  }

  /** Forgets all rules that were added so far. */
  void clear() {
    rules.clear();
  }
}
