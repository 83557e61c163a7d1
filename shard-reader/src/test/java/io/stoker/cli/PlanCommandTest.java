package io.stoker.cli;

import static io.stoker.cli.Ran.GOLDEN;
import static io.stoker.cli.Ran.assertOutput;
import static io.stoker.cli.Ran.assertRefused;
import static io.stoker.cli.Ran.run;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PlanCommandTest {
  @Test
  void planCountsSteps() {
    assertOutput(
        """
        steps                2
        packs                3
        lanes                2
        lanes per rank       1
        remainder            pad
        packs dropped        0
        packs of padding     1
        """,
        "plan",
        GOLDEN,
        "--global-batch=2",
        "--world-size=2",
        "--remainder=pad",
        "--steps");
  }

  @Test
  void planSaysWhatARankSees() {
    assertOutput(
        """
        epoch 0, step 1 of 2, rank 1 of 2: lanes 1 to 1 of 2
          lane 1: block 0 (shards/00/test.arrow at 1216), pack 0, padding: s0
        """,
        "plan",
        GOLDEN,
        "--global-batch=2",
        "--world-size=2",
        "--remainder=pad",
        "--rank=1",
        "--step=1");
    assertOutput(
        """
        {
          "epoch" : 0,
          "step" : 0,
          "steps" : 1,
          "packs" : [ {
            "lane" : 0,
            "block" : 0,
            "shard" : "shards/00/test.arrow",
            "offset" : 1216,
            "pack" : 0,
            "padding" : false,
            "samples" : [ "s0" ]
          }, {
            "lane" : 0,
            "block" : 0,
            "shard" : "shards/00/test.arrow",
            "offset" : 1216,
            "pack" : 1,
            "padding" : false,
            "samples" : [ "s1", "zusätzlich1" ]
          } ]
        }
        """,
        "plan",
        GOLDEN,
        "--global-batch=2",
        "--micro-batch=2",
        "--step=0",
        "--json");
  }

  @Test
  void planSaysWhoSawASample() {
    String[] pad = {"plan", GOLDEN, "--global-batch=2", "--world-size=2", "--remainder=pad"};
    assertOutput(
        """
        block 0 (shards/00/test.arrow), pack 0, segment 0
          epoch 0, step 0 of 2, rank 0 of 2, lane 0 of 2, slot 0
          epoch 0, step 1 of 2, rank 1 of 2, lane 1 of 2, slot 0, padding
        """,
        with(pad, "--sample=s0"));
    assertOutput(
        """
        {
          "sample" : "zusätzlich1",
          "epoch" : 0,
          "found" : [ {
            "block" : 0,
            "shard" : "shards/00/test.arrow",
            "pack" : 1,
            "segment" : 1,
            "deliveries" : [ {
              "step" : 1,
              "rank" : 0,
              "lane" : 0,
              "slot" : 0,
              "padding" : false
            } ]
          } ]
        }
        """,
        with(pad, "--sample=zusätzlich1", "--json"));
    assertOutput(
        """
        block 1 (shards/01/test.arrow), pack 0, segment 0
          not in epoch 0: it is in the remainder, which is dropped
        """,
        "plan",
        GOLDEN,
        "--global-batch=2",
        "--sample=s2");
    assertEquals(
        new Ran(4, "", "stoker: the dataset has no sample s?9\n"),
        run(with(pad, "--sample=s\u001B9")));
  }

  private static String[] with(String[] arguments, String... more) {
    String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return all;
  }

  @Test
  void wrongArgumentsAreNamed() {
    assertRefused(
        2,
        "stoker: expected one of --step, --sample and --steps, found 0",
        "plan",
        GOLDEN,
        "--global-batch=2");
    assertRefused(
        2,
        "stoker: --step: expected one in [0, 1), found 1",
        "plan",
        GOLDEN,
        "--global-batch=2",
        "--step=1");
    assertRefused(
        2,
        "stoker: the world size must divide the lanes (global batch 3 / micro batch 1 = 3 lanes),"
            + " found world size 2",
        "plan",
        GOLDEN,
        "--global-batch=3",
        "--world-size=2",
        "--steps");
    assertRefused(
        2,
        "stoker: the dataset has 3 packs, fewer than the global batch of 4",
        "plan",
        GOLDEN,
        "--global-batch=4",
        "--steps");
    assertRefused(
        2,
        "stoker: Invalid value for option '--remainder': expected drop or pad, found keep",
        "plan",
        GOLDEN,
        "--global-batch=2",
        "--remainder=keep",
        "--steps");
  }
}
