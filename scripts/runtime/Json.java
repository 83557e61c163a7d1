import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;

/**
 * Prints values of a JSON file, one per line, so that scripts need no other tool for that than Java.
 *
 * <p>Arguments: the file, then a JSON pointer such as {@code /stages/decode/share} per value.
 */
final class Json {
  private Json() {}

  public static void main(String[] args) throws IOException {
    JsonNode document = new ObjectMapper().readTree(new File(args[0]));
    for (int i = 1; i < args.length; i++) {
      JsonNode value = document.at(args[i]);
      if (value.isMissingNode()) {
        System.err.printf("expected %s in %s, found none%n", args[i], args[0]);
        System.exit(1);
      }
      System.out.println(value.isTextual() ? value.textValue() : value);
    }
  }
}
