package io.stoker.preprocess.text;

/** The control ids that the prompt is built from, as the tokenizer file numbers them. */
record ControlTokens(
    long imStart,
    long imEnd,
    long visionStart,
    long visionEnd,
    long imagePad,
    long videoPad,
    long pad) {

  static ControlTokens of(TokenizerFile file) {
    return new ControlTokens(
        file.idOf("<|im_start|>"),
        file.idOf("<|im_end|>"),
        file.idOf("<|vision_start|>"),
        file.idOf("<|vision_end|>"),
        file.idOf("<|image_pad|>"),
        file.idOf("<|video_pad|>"),
        file.idOf("<|endoftext|>"));
  }
}
