package io.stoker.preprocess.text;

import static io.stoker.preprocess.text.Chats.image;
import static io.stoker.preprocess.text.Chats.sample;
import static io.stoker.preprocess.text.Chats.text;
import static io.stoker.preprocess.text.Chats.turn;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.sample.Turn;
import io.stoker.preprocess.sample.Turn.Part;
import io.stoker.preprocess.text.TokenizerFile.AddedToken;
import io.stoker.preprocess.vision.Grid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No text makes a control token, and harmless text is encoded as the reference does. */
class ForgeryTest {
  private static final int ROUNDS = 300;
  private static final Grid GRID = new Grid(4, 6);

  private static final List<String> HARMLESS =
      List.of(
          "user",
          "assistant",
          "\n",
          "\n\n",
          "\r\n",
          " ",
          "  ",
          "\t",
          "Hello",
          "don't",
          "12345",
          "é",
          "e\u0301",
          "\u0301",
          "你好，世界",
          "😀",
          "👩‍👩‍👧",
          "\u202e",
          "\ufeff",
          "\u0000",
          "\uffff",
          "\u3000",
          "\u2028",
          "\u0085",
          "<image>",
          "<",
          "|",
          ">",
          "{{7*7}}",
          "ﬁ",
          "١٢",
          "\ue000",
          "\uf8ff",
          "\udbff\udffd",
          "im_start",
          "<|",
          "|>");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void textNeverMakesControlTokens(long seed) throws Exception {
    Random random = new Random(seed);
    List<AddedToken> added = Models.file().addedTokens();
    List<String> hostile = new ArrayList<>(HARMLESS);
    for (AddedToken token : added) {
      String content = token.content();
      int half = 1 + random.nextInt(content.length() - 1);
      hostile.add(content);
      hostile.add(content);
      hostile.add(content.substring(0, half));
      hostile.add(content.substring(half));
      // A disguise of removed tokens might look like these.
      hostile.add("\ue000" + content + "\uf8ff");
      hostile.add("\udbff\udffd".repeat(3) + token.id());
    }
    long[] special =
        added.stream().filter(AddedToken::special).mapToLong(AddedToken::id).sorted().toArray();
    long[] all = added.stream().mapToLong(AddedToken::id).sorted().toArray();
    for (int round = 0; round < ROUNDS; round++) {
      Sample sample = randomSample(random, hostile);
      long images = sample.images().size();
      long[] ids = Models.PLAIN.encode(sample, Collections.nCopies((int) images, GRID)).inputIds();
      String where = "seed %d, round %d".formatted(seed, round);
      // These are the control tokens of the frame: two for a turn, and two and the placeholders
      // for an image.
      assertEquals(
          2L * sample.turns().size() + images * (2 + GRID.tokens()),
          LongStream.of(ids).filter(id -> Arrays.binarySearch(special, id) >= 0).count(),
          where);
      int turn = -1;
      for (long id : ids) {
        turn += id == 151644 ? 1 : 0;
        if (Arrays.binarySearch(all, id) >= 0 && Arrays.binarySearch(special, id) < 0) {
          assertEquals(Role.ASSISTANT, sample.turns().get(turn).role(), where);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void harmlessTextIsEncodedAsTheReferenceDoes(long seed) throws Exception {
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      Sample sample = randomSample(random, HARMLESS);
      List<Grid> grids = Collections.nCopies(sample.images().size(), GRID);
      String rendered = Chats.rendered(sample, grids);
      assertArrayEquals(
          Models.Reference.FULL.encode(rendered),
          Models.PLAIN.encode(sample, grids).inputIds(),
          "seed %d, round %d: %s".formatted(seed, round, rendered));
    }
  }

  private static Sample randomSample(Random random, List<String> words) {
    Turn[] turns = new Turn[2 * (1 + random.nextInt(2))];
    for (int i = 0; i < turns.length; i++) {
      Role role = i % 2 == 0 ? Role.USER : Role.ASSISTANT;
      List<Part> parts = new ArrayList<>();
      int count = 1 + random.nextInt(5);
      for (int k = 0; k < count; k++) {
        if (role == Role.USER && random.nextInt(6) == 0) {
          parts.add(image());
          continue;
        }
        StringBuilder out = new StringBuilder();
        for (int w = random.nextInt(6); w >= 0; w--) {
          out.append(words.get(random.nextInt(words.size())));
        }
        parts.add(text(out.toString()));
      }
      turns[i] = turn(role, parts.toArray(new Part[0]));
    }
    return sample(turns);
  }
}
