package dev.takt.cli.snapshot;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.takt.persist.inspect.SnapshotFile;
import dev.takt.persist.inspect.StoredObjects;
import dev.takt.persist.inspect.StoredType;
import dev.takt.persist.inspect.StoredValues;
import java.io.IOException;
import java.io.Writer;

/**
 * The objects of a file as JSON, one on a line: its root, its number there, its class, and its
 * fields, elements or value. A reference is {@code {"ref":N}}; a floating-point number that JSON
 * has no word for is a string.
 *
 * <pre>
 *   {"root":"ledger","id":0,"class":"com.example.Ledger","fields":{"trades":3,"first":{"ref":1}}}
 *   {"root":"ledger","id":1,"class":"[J","elements":[4,5,6]}
 *   {"root":"ledger","id":2,"class":"java.lang.String","value":"closed"}
 *   {"root":"ledger","id":3,"class":"java.util.List","elements":[{"ref":2},null]}
 * </pre>
 */
public final class JsonLines implements StoredValues {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final JsonGenerator out;

  private JsonLines(JsonGenerator out) {
    this.out = out;
  }

  /**
   * Writes the objects of a file.
   *
   * @param summary how many of each root can be read: no more are written
   * @throws IOException if the file cannot be read any more, or the lines not be written
   */
  public static void write(SnapshotFile file, SnapshotSummary summary, Writer to)
      throws IOException {
    try (JsonGenerator out = JSON.createGenerator(to)) {
      out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      out.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
      JsonLines lines = new JsonLines(out);
      for (int i = 0; i < summary.roots().size(); i++) {
        SnapshotSummary.Root root = summary.roots().get(i);
        StoredObjects objects = file.objects(i);
        for (long done = 0; done < root.objects() && objects.next(); done++) {
          lines.object(root.name(), objects);
        }
      }
      out.writeRaw(summary.objects() == 0 ? "" : "\n");
    }
  }

  private void object(String root, StoredObjects objects) throws IOException {
    StoredType type = objects.type();
    out.writeStartObject();
    out.writeStringField("root", root);
    out.writeNumberField("id", objects.number());
    out.writeStringField("class", type.name());
    switch (type.kindName()) {
      case "stable", "record" -> {
        out.writeObjectFieldStart("fields");
        objects.read(this);
        out.writeEndObject();
      }
      case "array", "collection", "mutable" -> {
        out.writeArrayFieldStart("elements");
        objects.read(this);
        out.writeEndArray();
      }
      default -> {
        out.writeFieldName("value");
        objects.read(this);
      }
    }
    out.writeEndObject();
  }

  @Override
  public void primitive(String field, char type, long bits) throws IOException {
    if (!field.isEmpty()) {
      out.writeFieldName(field);
    }
    value(type, bits);
  }

  @Override
  public void reference(String field, long object) throws IOException {
    out.writeFieldName(field);
    value(object);
  }

  @Override
  public void text(String text) throws IOException {
    out.writeString(text);
  }

  @Override
  public void length(int elements) {}

  @Override
  public void element(char type, long bits) throws IOException {
    value(type, bits);
  }

  @Override
  public void element(long object) throws IOException {
    value(object);
  }

  private void value(long object) throws IOException {
    if (object < 0) {
      out.writeNull();
    } else {
      out.writeStartObject();
      out.writeNumberField("ref", object);
      out.writeEndObject();
    }
  }

  private void value(char type, long bits) throws IOException {
    switch (type) {
      case 'Z' -> out.writeBoolean(bits != 0);
      case 'C' -> out.writeString(String.valueOf((char) bits));
      case 'F' -> out.writeNumber(Float.intBitsToFloat((int) bits));
      case 'D' -> out.writeNumber(Double.longBitsToDouble(bits));
      default -> out.writeNumber(bits);
    }
  }
}
