package io.stoker.preprocess.text;

import io.stoker.format.ShardFormat;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TextSettings.LabelMode;
import io.stoker.preprocess.text.TokenTables.Control;
import io.stoker.preprocess.vision.Grid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns of a sample → ids, labels, positions.
 *
 * <p>Thread-safe: one per executor, shared by its tasks. Holds native memory; {@link #close} it
 * when no task uses it any more.
 */
public final class TextEncoder implements AutoCloseable {
  private final TextSettings settings;
  private final Tokenizers tokenizers;
  private final TokenTables tables;
  private final ControlTokenSearch search;
  private final @Nullable FinetuneLabels finetune;

  /**
   * Loads the tokenizer; takes seconds. Needs no network.
   *
   * @throws ModelFileException if the tokenizer or the template cannot be used
   */
  public TextEncoder(ModelDirectory model, TextSettings settings) {
    this.settings = settings;
    // There is only one template. Selecting it checks that the model really uses it.
    var unused = model.templateName(settings.template());
    TokenizerFile file = new TokenizerFile(model.tokenizerFile(), model.tokenizerJson());
    Control control = Control.of(file);
    this.search = new ControlTokenSearch(file);
    this.tokenizers = Tokenizers.open(model.tokenizerFile(), file, settings.controlTokens());
    try {
      this.tables = TokenTables.of(file, tokenizers, settings.controlTokens());
      this.finetune =
          settings.labels() == LabelMode.FINETUNE
              ? new FinetuneLabels(assistantId(model), control.imEnd())
              : null;
    } catch (RuntimeException e) {
      tokenizers.close();
      throw e;
    }
  }

  private long assistantId(ModelDirectory model) {
    long[] ids = tokenizers.of(Role.ASSISTANT).encode("assistant");
    if (ids.length != 1) {
      throw new ModelFileException(
          "expected one token for \"assistant\" in %s, as finetune labels need; found %d"
              .formatted(model.tokenizerFile(), ids.length));
    }
    return ids[0];
  }

  /**
   * Encodes one sample.
   *
   * @param grids one per image of the sample, in reading order
   * @throws SampleRejectedException if the text spells a control token that the policy refuses, or
   *     leaves nothing to train
   * @throws IllegalArgumentException if there is not one grid per image: a bug of the caller
   */
  public EncodedText encode(Sample sample, List<Grid> grids) throws SampleRejectedException {
    check(sample, grids);
    PromptEncoder prompt = new PromptEncoder(tables, tokenizers);
    prompt.encode(PromptRenderer.render(sample.turns()), grids);
    long[] ids = prompt.ids();
    checkPlaceholders(ids, grids);
    long[] labels = finetune == null ? prompt.structureLabels() : finetune.of(ids);
    int supervised = 0;
    for (long label : labels) {
      supervised += label == ShardFormat.IGNORED_LABEL ? 0 : 1;
    }
    if (supervised == 0) {
      throw new SampleRejectedException(
          RejectReason.NO_SUPERVISED_TOKENS,
          "expected at least one trained token, found none in " + ids.length);
    }
    long[] positions = Positions.of(ids, tables.control().imagePad(), grids);
    return new EncodedText(ids, labels, positions, supervised);
  }

  private void check(Sample sample, List<Grid> grids) throws SampleRejectedException {
    int images = sample.images().size();
    if (images != grids.size()) {
      throw new IllegalArgumentException(
          "expected one grid for each of the %d images of %s, found %d"
              .formatted(images, sample.line().provenance(), grids.size()));
    }
    if (settings.controlTokens() == ControlTokenPolicy.REJECT) {
      search.refuse(sample.turns());
    }
  }

  private void checkPlaceholders(long[] ids, List<Grid> grids) {
    long expected = 0;
    for (Grid grid : grids) {
      expected += grid.tokens();
    }
    long found = 0;
    for (long id : ids) {
      found += id == tables.control().imagePad() ? 1 : 0;
    }
    if (found != expected) {
      throw new IllegalStateException(
          "expected %d placeholders, found %d".formatted(expected, found));
    }
  }

  @Override
  public void close() {
    tokenizers.close();
  }
}
