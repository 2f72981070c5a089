/**
 * Events and templates as JSON, for links that carry text.
 *
 * <p>A template or an event is an object; its values are:
 *
 * <pre>
 *   integer of 64 bits    7, beyond 2^53 {"$integer":"9223372036854775807"}
 *   floating point        1.5, 7.0, 1e3 (with a point or an exponent); {"$number":"NaN"},
 *                         {"$number":"Infinity"}, {"$number":"-Infinity"}; {"$number":7} is 7.0
 *   boolean, text         true, "order"
 *   character             {"$character":"x"}, or its number
 *   big integer, decimal  {"$bigInteger":"123"}, {"$bigDecimal":"1.50"}; more than some 900 digits
 *                         {"$bigInteger":"-0x1f"}, {"$bigDecimal":["0x1f",3]} (with the scale)
 *   UUID                  {"$uuid":"00000000-0000-0001-0000-000000000002"}
 *   times (ISO 8601)      {"$instant":"2026-01-02T03:04:05Z"}, {"$duration":"PT1.5S"},
 *                         {"$date":"2026-01-02"}, {"$time":"03:04:05"},
 *                         {"$dateTime":"2026-01-02T03:04:05"}
 *   array of texts        ["a",null,"b"]
 *   arrays                {"$ints":[1,2]}, $booleans, $shorts, $longs, $floats, $doubles;
 *                         {"$characters":[97]} by their numbers; {"$bytes":"AQI="} in base 64
 *
 *   in templates only:
 *   any value             {"$any":true}, or null
 *   conditions            {"$atLeast":5}, {"$atMost":5}, {"$between":[1,2]}, {"$not":3}; several:
 *                         {"$all":[{"$atLeast":5},{"$not":7}]}
 * </pre>
 *
 * <p>Integers beyond 2^53 have a tag because JavaScript's numbers lose digits of them; those that
 * are written as plain numbers are read in full. {@code JsonReader} knows nothing of events: it
 * reads any JSON within {@code JsonLimits}, and keeps numbers as they were written.
 *
 * <p>Source: RFC 8259.
 */
package dev.takt.client.json;
