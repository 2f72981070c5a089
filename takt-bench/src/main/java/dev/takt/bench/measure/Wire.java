package dev.takt.bench.measure;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.jr.ob.JSON;
import com.fasterxml.jackson.jr.ob.JacksonJrExtension;
import com.fasterxml.jackson.jr.ob.api.ExtensionContext;
import com.fasterxml.jackson.jr.ob.api.ReaderWriterProvider;
import com.fasterxml.jackson.jr.ob.api.ValueReader;
import com.fasterxml.jackson.jr.ob.api.ValueWriter;
import com.fasterxml.jackson.jr.ob.impl.JSONReader;
import com.fasterxml.jackson.jr.ob.impl.JSONWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Records as JSON, between the processes of a suite; a histogram is its own compressed form. */
public final class Wire {
  /** The reader and writer of records. */
  public static final JSON JSON_OF_RECORDS = JSON.builder().register(new Histograms()).build();

  private Wire() {}

  private static final class Histograms extends JacksonJrExtension {
    @Override
    protected void register(ExtensionContext context) {
      context.insertProvider(
          new ReaderWriterProvider() {
            @Override
            public ValueReader findValueReader(JSONReader reader, Class<?> type) {
              return type == Histogram.class ? new HistogramReader() : null;
            }

            @Override
            public ValueWriter findValueWriter(JSONWriter writer, Class<?> type) {
              return type == Histogram.class ? new HistogramWriter() : null;
            }
          });
    }
  }

  private static final class HistogramReader extends ValueReader {
    HistogramReader() {
      super(Histogram.class);
    }

    @Override
    public Object read(JSONReader reader, JsonParser parser) throws IOException {
      try {
        ByteBuffer bytes = ByteBuffer.wrap(parser.getBinaryValue());
        return Histogram.decodeFromCompressedByteBuffer(bytes, 0);
      } catch (DataFormatException e) {
        throw new IOException("no histogram", e);
      }
    }
  }

  private static final class HistogramWriter implements ValueWriter {
    @Override
    public Class<?> valueType() {
      return Histogram.class;
    }

    @Override
    public void writeValue(JSONWriter context, JsonGenerator out, Object value) throws IOException {
      Histogram histogram = (Histogram) value;
      ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
      out.writeBinary(bytes.array(), 0, histogram.encodeIntoCompressedByteBuffer(bytes));
    }
  }
}
