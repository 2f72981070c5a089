"""Tests of takt.py against a host whose line protocol is at the port TAKT_PORT of this machine.

PythonClientTest of takt-host starts one, and these tests.
"""

import datetime
import decimal
import os
import queue
import signal
import socket
import ssl
import sys
import threading
import unittest
import uuid
from typing import Optional

import takt

VALUES = {
    "int": 7,
    "large": 2**63 - 1,
    "float": 7.0,
    "bool": True,
    "text": 'Gru\u00df "\U0001f600"\n\x00',
    "bytes": b"\x00\xff",
    "big": -(2**100),
    "decimal": decimal.Decimal("1.50"),
    "uuid": uuid.UUID(int=2**70 + 1),
    "texts": ["a", None, ""],
    "infinity": float("inf"),
}
TIMES = {
    "instant": datetime.datetime(2026, 1, 2, 3, 4, 0, 50, tzinfo=datetime.timezone.utc),
    "local": datetime.datetime(2026, 1, 2, 3, 4),
    "date": datetime.date(2026, 1, 2),
    "time": datetime.time(3, 4, 5),
    "ints": takt.Tagged("$ints", [1, -2]),
    "longs": takt.Tagged("$longs", [1, 2**60]),
}


class TaktTest(unittest.TestCase):
    def setUp(self) -> None:
        port = os.environ.get("TAKT_PORT")
        if port is None:
            self.fail("TAKT_PORT is not set: the port of a host that speaks the line protocol")
        self.port = int(port)
        self.token = os.environ.get("TAKT_TOKEN")  # of a host that wants one
        authority = os.environ.get("TAKT_TLS")  # its certificates, of a host that speaks TLS
        self.tls = authority and ssl.create_default_context(cafile=authority)
        self.space = self.connect(self.token)

    def connect(self, token: Optional[str]) -> takt.Space:
        host = "localhost" if self.tls else "127.0.0.1"
        return takt.connect(host, self.port, token=token, tls=self.tls)

    def tearDown(self) -> None:
        self.space.close()
        with self.connect(self.token) as space:
            space.take_all(100)

    def test_a_wrong_token_is_refused(self) -> None:
        with self.assertRaises(takt.TaktError) as refused:
            self.connect("0123456789abcdef")
        self.assertEqual(refused.exception.code, "forbidden")

    def test_an_empty_token_is_refused_before_it_is_sent(self) -> None:
        with self.assertRaisesRegex(ValueError, "the token is empty"):
            self.connect("")

    def test_values_come_back_as_they_were_written(self) -> None:
        for event in (VALUES, TIMES):
            self.space.write(event)
            found = self.space.take(event if event is TIMES else {"int": 7})
            self.assertEqual(found, event)
            self.assertEqual(
                [type(each) for each in found.values()], [type(each) for each in event.values()]
            )
        self.space.write({"d": datetime.timedelta(seconds=-1.5)})
        self.assertEqual(self.space.take(), {"d": datetime.timedelta(seconds=-1.5)})
        nanos = takt.Tagged("$duration", "PT0.000000001S")
        self.space.write({"d": nanos})
        self.assertEqual(self.space.take(), {"d": nanos})
        with self.assertRaises(TypeError):
            self.space.write({"nested": {"a": 1}})

    def test_templates_match_what_they_say(self) -> None:
        for i in range(5):
            self.space.write({"i": i})
        self.assertEqual(self.space.count({"i": takt.at_least(3)}), 2)
        self.assertEqual(self.space.count({"i": takt.at_most(0)}), 1)
        self.assertEqual(self.space.count({"i": takt.between(1, 3)}), 3)
        self.assertEqual(self.space.count({"i": takt.all_of(takt.at_least(1), takt.differs(2))}), 3)
        self.assertEqual(self.space.count({"i": None}), 5)
        self.assertEqual(self.space.read_all({"i": takt.differs(0)})[0], {"i": 1})
        self.assertEqual(self.space.take_all(2), [{"i": 0}, {"i": 1}])
        self.assertTrue(self.space.test({"i": 2}))
        self.assertFalse(self.space.test({"i": 0}))
        self.assertEqual(self.space.read({"i": takt.ANY}), {"i": 2})
        self.assertTrue(self.space.try_write({"i": 9}))

    def test_a_take_waits_for_its_event_and_no_longer_than_its_time(self) -> None:
        self.assertIsNone(self.space.take({"a": 1}))
        self.assertIsNone(self.space.take({"a": 1}, timeout=0.001))
        found = []
        taker = threading.Thread(target=lambda: found.append(self.space.take({"a": 1}, timeout=60)))
        taker.start()
        self.space.write({"a": 1})
        taker.join()
        self.assertEqual(found, [{"a": 1}])

    def test_a_take_without_end_waits_for_its_event(self) -> None:
        threading.Thread(target=lambda: self.space.write({"b": 2}), daemon=True).start()
        self.assertEqual(self.space.take({"b": 2}, timeout=float("inf")), {"b": 2})

    def test_a_text_that_cannot_be_sent_harms_no_other_request(self) -> None:
        with self.assertRaises(UnicodeEncodeError):
            self.space.write({"a": "\ud800"})
        self.assertEqual(self.space.count(), 0)
        self.assertEqual(self.space._open, {}, "no answer is awaited")

    def test_a_transaction_is_seen_when_it_is_committed(self) -> None:
        with self.space.transaction() as transaction:
            transaction.write({"a": 1})
            self.assertTrue(transaction.test({"a": 1}))
            self.assertEqual(self.space.count(), 0)
        self.assertEqual(self.space.count(), 1)
        with self.assertRaises(KeyError):
            with self.space.transaction() as transaction:
                self.assertEqual(transaction.take(), {"a": 1})
                raise KeyError("rolled back")
        self.assertEqual(self.space.count(), 1)
        with self.assertRaisesRegex(takt.TaktError, "no transaction"):
            transaction.commit()

    def test_a_subscription_gives_each_match_once(self) -> None:
        with self.space.subscribe({"n": takt.ANY}) as subscription:
            self.assertIsNone(subscription.next(timeout=0.001))
            for i in range(100):
                self.space.write({"n": i})
            events = subscription.events()
            self.assertEqual([next(events)["n"] for _ in range(100)], list(range(100)))
        self.space.write({"n": 1})
        self.assertEqual(self.space.count(), 1)

    def test_a_subscription_that_was_not_asked_for_long_keeps_to_its_time(self) -> None:
        with self.space.subscribe({"n": takt.ANY}) as subscription:
            for i in range(1_000):
                self.space.write({"n": i})
                self.space.take({"n": i})
            self.assertLessEqual(subscription._matches.qsize(), takt._MATCHES)
            self.assertIsNone(subscription.next(timeout=0))
            self.space.write({"n": 1})
            self.assertEqual(subscription.next(timeout=60), {"n": 1})

    def test_nobody_who_listens_is_told_with_the_address(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with self.assertRaisesRegex(ConnectionRefusedError, f"lines://127.0.0.1:{port}"):
            takt.connect("127.0.0.1", port)

    def test_a_subscription_that_is_closed_ends_the_wait_for_its_matches(self) -> None:
        subscription = self.space.subscribe({"n": takt.ANY})
        found: "queue.Queue[dict]" = queue.Queue()
        ends = []

        def take() -> None:
            for event in subscription.events():
                found.put(event)
            ends.append(subscription.next(timeout=60))

        takers = [threading.Thread(target=take, daemon=True) for _ in range(2)]
        for taker in takers:
            taker.start()
        self.space.write({"n": 1})
        self.assertEqual(found.get(timeout=60), {"n": 1})
        subscription.close()
        for taker in takers:
            taker.join(timeout=10)
        self.assertEqual(ends, [None, None])

    def test_what_is_refused_names_the_reason(self) -> None:
        with self.assertRaisesRegex(takt.TaktError, "priority|argument"):
            self.space.transaction(-1)
        with self.assertRaisesRegex(takt.TaktError, "argument"):
            self.space.write({"x" * 300: 1})
        self.assertEqual(self.space.count(), 0)

    def test_the_end_of_the_link_ends_what_waits(self) -> None:
        failures = []

        def wait() -> None:
            try:
                self.space.take({"never": 1}, timeout=600)
            except takt.LinkError as failure:
                failures.append(failure)

        waiter = threading.Thread(target=wait)
        waiter.start()
        self.space.count()
        self.space.close()
        waiter.join()
        self.assertEqual(len(failures), 1)
        with self.assertRaises(takt.LinkError):
            self.space.count()


class LinkTest(unittest.TestCase):
    """What the client says is read and answered by the test itself."""

    def setUp(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as door:
            self.space = takt.connect(*door.getsockname())
            self.host, _ = door.accept()
        self.lines = self.host.makefile("r", encoding="utf-8", newline="\n")

    def tearDown(self) -> None:
        self.lines.close()
        self.host.close()
        self.space.close()

    def test_an_interrupt_ends_the_wait_in_the_host(self) -> None:
        said = []

        def interrupt() -> None:
            said.append(self.lines.readline())
            main = threading.main_thread().ident
            while sys._current_frames()[main].f_code.co_name != "wait":
                pass  # it has sent its line, and does not wait yet
            signal.pthread_kill(main, signal.SIGINT)
            said.append(self.lines.readline())
            self.host.sendall(b"#1 none\n#2 ok\n")
            said.append(self.lines.readline())
            self.host.sendall(b"#3 ok 5\n")

        signal.signal(signal.SIGINT, signal.default_int_handler)
        host = threading.Thread(target=interrupt, daemon=True)
        host.start()
        with self.assertRaises(KeyboardInterrupt):
            self.space.take({"a": 1}, timeout=60)
        self.assertEqual(self.space.count(), 5)
        host.join(timeout=10)
        self.assertEqual(
            said, ['#1 take {"a":1} 60000000000ns\n', "#2 cancel 1\n", "#3 count {}\n"]
        )

    def test_another_protocol_is_told_from_a_refusal(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as door:

            def refuse_tls() -> None:
                with door.accept()[0] as client:
                    client.sendall(b"\x15\x03\x03\x00\x02\x02\x0a")

            alert = threading.Thread(target=refuse_tls, daemon=True)
            alert.start()
            with self.assertRaisesRegex(takt.LinkError, "tls="):
                takt.connect(*door.getsockname(), token="0123456789abcdef")
            alert.join(timeout=10)

    def test_a_link_that_is_cut_before_its_answer_is_made_again(self) -> None:
        said = []
        with socket.create_server(("127.0.0.1", 0)) as door:

            def start_again() -> None:
                for answer in (b"", b"", b"ok\n"):
                    with door.accept()[0] as client:
                        said.append(client.makefile("r").readline())
                        client.sendall(answer)

            host = threading.Thread(target=start_again, daemon=True)
            host.start()
            takt.connect(*door.getsockname(), timeout=60, token="0123456789abcdef").close()
            host.join(timeout=10)
        self.assertEqual(said, ["token 0123456789abcdef\n"] * 3)

    def test_a_host_that_does_not_come_back_costs_the_time_and_no_more(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as door:
            address = door.getsockname()

            def die() -> None:
                with door.accept()[0] as client:
                    door.close()  # before the end of the link is seen
                    client.makefile("r").readline()

            host = threading.Thread(target=die, daemon=True)
            host.start()
            with self.assertRaisesRegex(takt.LinkError, "ended the link before it answered, and"):
                takt.connect(*address, timeout=0.2, token="0123456789abcdef")
            host.join(timeout=10)
        with self.assertRaises(ConnectionRefusedError):
            takt.connect(*address, timeout=600, token="0123456789abcdef")

    def test_tls_that_is_cut_is_agreed_upon_again(self) -> None:
        said = []
        with socket.create_server(("127.0.0.1", 0)) as door:

            def refuse() -> None:
                for answer in (b"", b"\x15\x03\x03\x00\x02\x02\x28"):  # then an alert of TLS
                    with door.accept()[0] as client:
                        said.append(client.recv(1))
                        client.sendall(answer)
                        client.shutdown(socket.SHUT_WR)
                        while client.recv(1 << 16):
                            pass

            host = threading.Thread(target=refuse, daemon=True)
            host.start()
            with self.assertRaisesRegex(ssl.SSLError, "(?i)alert"):
                takt.connect(*door.getsockname(), timeout=60, tls=ssl.create_default_context())
            host.join(timeout=10)
        self.assertEqual(said, [b"\x16"] * 2)

    def test_answers_come_while_a_line_that_the_host_does_not_read_is_sent(self) -> None:
        counts = []
        counter = threading.Thread(target=lambda: counts.append(self.space.count()), daemon=True)
        counter.start()
        self.assertEqual(self.lines.readline(), "#1 count {}\n")
        long = {"text": "x" * (1 << 25)}  # more than the system keeps on its way
        sender = threading.Thread(target=lambda: self.space.write(long), daemon=True)
        sender.start()
        self.assertEqual(self.lines.read(2), "#2")
        self.host.sendall(b"#1 ok 5\n")
        counter.join(timeout=10)
        self.assertEqual(counts, [5])
        self.assertIn(" write ", self.lines.readline())
        self.host.sendall(b"#2 ok\n")
        sender.join()


if __name__ == "__main__":
    unittest.main()
