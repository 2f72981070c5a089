package dev.takt.realtime.counters;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanInfo;
import javax.management.openmbean.OpenMBeanAttributeInfo;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenMBeanInfoSupport;
import javax.management.openmbean.SimpleType;
import org.jspecify.annotations.Nullable;

/**
 * A row as an open MBean, which to a client is what an MXBean is; its attributes are those of the
 * row, and all that are read together are of one moment.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class RowBean implements DynamicMBean {
  private final Counters counters;
  private final CounterBeans.Key key;

  /** Where the row was found last. */
  private int hint;

  RowBean(Counters counters, CounterBeans.Key key) {
    this.counters = counters;
    this.key = key;
  }

  @Override
  public @Nullable Object getAttribute(String attribute) throws AttributeNotFoundException {
    if (!isAttribute(attribute)) {
      throw new AttributeNotFoundException(
          attribute + " (expected: an attribute of " + key.kind().type() + ")");
    }
    return counters.value(this, attribute);
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    AttributeList list = new AttributeList();
    synchronized (counters) { // no copy comes between
      for (String each : attributes) {
        if (isAttribute(each)) {
          list.add(new Attribute(each, counters.value(this, each)));
        }
      }
    }
    return list;
  }

  private boolean isAttribute(String attribute) {
    return figure(attribute) != null || text(attribute) != null;
  }

  private @Nullable Figure figure(String attribute) {
    for (Figure each : key.kind().figures()) {
      if (camelCase(each.name()).equals(attribute)) {
        return each;
      }
    }
    return null;
  }

  private static @Nullable RowText text(String attribute) {
    for (RowText each : RowText.values()) {
      if (attributeName(each).equals(attribute)) {
        return each;
      }
    }
    return null;
  }

  /** Returns a value, with the monitor of the counters; null: it is not known. */
  @Nullable Object value(CounterRows rows, String attribute) {
    int row = find(rows);
    if (row < 0) {
      return null;
    }
    Figure figure = figure(attribute);
    if (figure != null) {
      long value = rows.number(row, figure);
      return value == CounterRows.UNKNOWN ? null : (Long) value;
    }
    RowText text = text(attribute);
    return text == null ? null : rows.text(row, text);
  }

  private int find(CounterRows rows) {
    if (!isAt(rows, hint)) {
      hint = 0;
      while (hint < rows.size() && !isAt(rows, hint)) {
        hint++;
      }
    }
    return hint < rows.size() ? hint : -1;
  }

  private boolean isAt(CounterRows rows, int row) {
    return row < rows.size()
        && rows.kind(row) == key.kind()
        && rows.text(row, RowText.NAME).equals(key.name())
        && rows.text(row, RowText.OWNER).equals(key.owner());
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    List<OpenMBeanAttributeInfo> attributes = new ArrayList<>();
    for (RowText each : RowText.values()) {
      attributes.add(
          new OpenMBeanAttributeInfoSupport(
              attributeName(each), each.description(), SimpleType.STRING, true, false, false));
    }
    for (Figure each : key.kind().figures()) {
      attributes.add(
          new OpenMBeanAttributeInfoSupport(
              camelCase(each.name()), each.description(), SimpleType.LONG, true, false, false));
    }
    return new OpenMBeanInfoSupport(
        RowBean.class.getName(),
        "Takt: " + key.kind().type() + " " + key.name(),
        attributes.toArray(OpenMBeanAttributeInfo[]::new),
        null,
        null,
        null);
  }

  /** "Class" is taken by {@code Object.getClass} wherever somebody writes an interface for it. */
  private static String attributeName(RowText text) {
    return text == RowText.CLASS ? "AuthenticationClass" : camelCase(text.name());
  }

  private static String camelCase(String constant) {
    StringBuilder name = new StringBuilder();
    for (String each : constant.split("_")) {
      name.append(each.charAt(0)).append(each.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " cannot be changed");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature) {
    throw new UnsupportedOperationException("there are no operations: " + action);
  }
}
