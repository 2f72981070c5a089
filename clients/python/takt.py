"""The event space of a Takt host, for Python programs: a client of the line protocol.

Standard library only, Python 3.9 or later.

    import takt

    with takt.connect("127.0.0.1", 7410) as space:
        space.write({"type": "order", "id": 7})
        order = space.take({"type": "order"}, timeout=0.5)
        with space.subscribe({"type": "trade", "price": takt.ANY}) as trades:
            for trade in trades.events():
                print(trade)

Events are dicts of keys to values. int, float, bool, str, lists of str, bytes, Decimal, UUID,
datetime (with a time zone: an instant), date, time and timedelta are sent as what they are; all
other types of the format are instances of Tagged, such as Tagged("$ints", [1, 2]). In templates
None and ANY stand for any value; at_least, at_most, between, differs and all_of make conditions.

A space does not connect again by itself: once its link has ended, each call, and events() of each
subscription, raises LinkError; connect and subscribe anew.
"""

from __future__ import annotations

import base64
import datetime
import decimal
import json
import queue
import re
import socket
import ssl
import threading
import time
import uuid
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

Event = Dict[str, Any]
_MAX_PLAIN = 1 << 53
_PART = 1 << 16
_MATCHES = 64  # a subscription looks again for each match; more told at once are of no use
_FIRST_PAUSE, _LAST_PAUSE = 0.001, 0.1  # seconds between attempts to connect
_CUT = "the host has ended the link before it answered"
_OTHER_PORT = "is it a port of lines://, or, with tls=, of lines+tls://?"


class TaktError(Exception):
    """A request that the host has refused: it has had no effect."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code


class ConflictError(TaktError):
    """The transaction has lost a conflict: try again."""


class LinkError(ConnectionError):
    """The link has ended; whether a request that was sent is done is not known."""


class _CutError(LinkError):
    """The link has ended before the host has said anything on it: another one may fare better."""


class Tagged(NamedTuple):
    """A value by its tag in the protocol."""

    tag: str
    value: Any


ANY = Tagged("$any", True)


def at_least(bound: Union[int, float]) -> Tagged:
    """A number of at least this one."""
    return Tagged("$atLeast", bound)


def at_most(bound: Union[int, float]) -> Tagged:
    """A number of at most this one."""
    return Tagged("$atMost", bound)


def between(low: Union[int, float], high: Union[int, float]) -> Tagged:
    """A number from one to another, both included."""
    return Tagged("$between", [low, high])


def differs(value: Union[int, float, str, bool]) -> Tagged:
    """Any value but this one."""
    return Tagged("$not", value)


def all_of(*conditions: Tagged) -> Tagged:
    """All of the conditions."""
    return Tagged("$all", list(conditions))


# ---- values


def _number(value: Union[int, float]) -> Any:
    if isinstance(value, int):
        return value if abs(value) <= _MAX_PLAIN else {"$integer": str(value)}
    if value != value:
        return {"$number": "NaN"}
    if value in (float("inf"), float("-inf")):
        return {"$number": "Infinity" if value > 0 else "-Infinity"}
    return value


def _to_json(value: Any) -> Any:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        if -(1 << 63) <= value < 1 << 63:
            return _number(value)
        return {"$bigInteger": hex(value)}
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Tagged):
        inner = value.value
        if isinstance(inner, list):
            return {value.tag: [_to_json(each) for each in inner]}
        return {value.tag: _to_json(inner)}
    if isinstance(value, (bytes, bytearray)):
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, decimal.Decimal):
        return {"$bigDecimal": str(value)}
    if isinstance(value, uuid.UUID):
        return {"$uuid": str(value)}
    if isinstance(value, list) and all(isinstance(each, (str, type(None))) for each in value):
        return value
    return _time_to_json(value)


def _time_to_json(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            return {"$dateTime": value.isoformat()}
        utc = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return {"$instant": utc.isoformat() + "Z"}
    if isinstance(value, datetime.date):
        return {"$date": value.isoformat()}
    if isinstance(value, datetime.time) and value.tzinfo is None:
        return {"$time": value.isoformat()}
    if isinstance(value, datetime.timedelta):
        micros = value // datetime.timedelta(microseconds=1)
        sign = "-" if micros < 0 else ""
        return {"$duration": f"PT{sign}{abs(micros) // 1000000}.{abs(micros) % 1000000:06d}S"}
    raise TypeError(
        f"a value of {type(value).__name__} has no place in an event: {value!r};"
        " send its parts as keys of their own, or see Tagged"
    )


def _from_json(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    ((tag, inner),) = value.items()
    if tag == "$number":
        return float(inner)
    if tag == "$bytes":
        return base64.b64decode(inner)
    if tag == "$uuid":
        return uuid.UUID(inner)
    if tag in ("$integer", "$bigInteger"):
        return int(inner, 0)
    if tag == "$bigDecimal" and isinstance(inner, str):
        return decimal.Decimal(inner)
    try:
        if tag == "$date":
            return datetime.date.fromisoformat(inner)
        if tag == "$instant" and inner.endswith("Z"):
            return _parse_datetime(inner[:-1]).replace(tzinfo=datetime.timezone.utc)
        if tag == "$dateTime":
            return _parse_datetime(inner)
        if tag == "$time":
            return _parse_datetime("1970-01-01T" + inner).time()
        if tag == "$duration":
            return _parse_duration(inner)
    except (ValueError, OverflowError):
        pass  # nanoseconds, or a year that Python has not: as it was sent
    if tag in ("$doubles", "$floats", "$longs"):
        return Tagged(tag, [_from_json(each) for each in inner])
    return Tagged(tag, inner)


def _parse_datetime(text: str) -> datetime.datetime:
    whole, _, fraction = text.partition(".")
    if len(fraction) > 6:
        raise ValueError(text)
    if whole.count(":") == 1:
        whole += ":00"
    parsed = datetime.datetime.fromisoformat(whole)
    return parsed.replace(microsecond=int(fraction.ljust(6, "0")) if fraction else 0)


_CENTURY_S = 100 * 365 * 24 * 3600.0
_DURATION = re.compile(r"PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d{1,6}))?S)?")


def _parse_duration(text: str) -> datetime.timedelta:
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    hours, minutes, sign, seconds, fraction = found.groups(default="")
    rest = datetime.timedelta(
        seconds=int(seconds or 0), microseconds=int(fraction.ljust(6, "0")) if fraction else 0
    )
    return datetime.timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) + (
        -rest if sign else rest
    )


def encode(event: Event) -> str:
    """Returns an event or a template as JSON."""
    return json.dumps(
        {key: _to_json(value) for key, value in event.items()},
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )


def decode(text: str) -> Event:
    """Returns the event of a text that the host has sent."""
    return {key: _from_json(value) for key, value in json.loads(text).items()}


# ---- the link


class _Answer:
    def __init__(self) -> None:
        self.done = threading.Event()
        self.words: Tuple[str, str] = ("", "")
        self.events: List[Event] = []
        self.error: Optional[Exception] = None


class _Tls:
    """TLS on a connection on which one thread waits to receive while others send. An SSLSocket is
    not for two threads at once; here one at a time is in TLS, which never waits for the network."""

    def __init__(self, connection: socket.socket, context: ssl.SSLContext, host: str) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_hostname=host)
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                pass
            finally:
                self._connection.sendall(self._out.read())  # also why it has failed
            self._feed()
        self.settimeout = connection.settimeout
        self.shutdown = connection.shutdown
        self.close = connection.close

    def _feed(self) -> None:
        part = self._connection.recv(_PART)
        with self._lock:
            self._in.write(part) if part else self._in.write_eof()

    def recv(self, most: int) -> bytes:
        while True:
            with self._lock:
                try:
                    return self._tls.read(most)
                except ssl.SSLWantReadError:
                    pass
                except ssl.SSLZeroReturnError:
                    return b""
            self._feed()

    def sendall(self, data: bytes) -> None:
        """Sends; one thread at a time."""
        with self._lock:
            left = memoryview(data)
            while left:
                left = left[self._tls.write(left) :]
            coded = self._out.read()
        self._connection.sendall(coded)


class Space:
    """The space of a host. Any thread may use it."""

    def __init__(self, connection: "Union[socket.socket, _Tls]") -> None:
        self._socket = connection
        self._sending = threading.Lock()  # held while a line is sent, which may take long
        self._lock = threading.Lock()  # of the fields below; nobody waits for the host with it
        self._last = 0
        self._subscriptions = 0
        self._open: Dict[int, _Answer] = {}
        self._has_answered = False
        self._matches: Dict[int, "queue.SimpleQueue[bool]"] = {}
        self._end: Optional[Exception] = None
        self._receiver = threading.Thread(target=self._receive, name="takt", daemon=True)
        self._receiver.start()

    def __enter__(self) -> "Space":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the link; what waits gets a LinkError."""
        self._shut()
        if threading.current_thread() is not self._receiver:
            self._receiver.join()
        self._socket.close()

    # ---- operations

    def write(self, event: Event) -> None:
        """Adds an event."""
        self._ask("write " + encode(event))

    def try_write(self, event: Event) -> bool:
        """Adds an event if there is room; returns whether there was."""
        return self._ask("try-write " + encode(event))[0] == "ok"

    def take(self, template: Event = {}, timeout: Optional[float] = None) -> Optional[Event]:
        """Takes the oldest match; waits for one for `timeout` seconds (float("inf"): without end;
        None: does not wait), or returns None. After an
        exception such as KeyboardInterrupt what was taken is put back at the end of the link."""
        return self._find("take", template, timeout)

    def read(self, template: Event = {}, timeout: Optional[float] = None) -> Optional[Event]:
        """Copies the oldest match; waits for one as `take` does, or returns None."""
        return self._find("read", template, timeout)

    def test(self, template: Event = {}) -> bool:
        """Returns whether there is a match."""
        return self._ask("test " + encode(template))[0] == "ok"

    def count(self, template: Event = {}) -> int:
        """Returns how many matches there are."""
        return int(self._ask("count " + encode(template))[1])

    def take_all(self, most: int, template: Event = {}) -> List[Event]:
        """Takes so many matches at most."""
        return self._request(f"take-all {most} {encode(template)}", True).events

    def read_all(self, template: Event = {}) -> List[Event]:
        """Copies all matches."""
        return self._request("read-all " + encode(template), False).events

    def subscribe(self, template: Event) -> "Subscription":
        """Begins a subscription, which is closed at the end of a `with`."""
        with self._lock:
            self._subscriptions += 1
            number = self._subscriptions
        self._ask(f"subscribe {number} {encode(template)}")
        with self._lock:  # a notice before is not missed: the first next() asks before it waits
            matches = self._matches[number] = queue.SimpleQueue()
        return Subscription(self, number, matches)

    def transaction(self, priority: int = 0, retries: int = 0) -> "Transaction":
        """Begins a transaction; at the end of a `with` it is committed, or after an exception
        rolled back. A lost conflict is a ConflictError: do all of it again."""
        return Transaction(self, int(self._ask(f"begin {priority} {retries}")[1]))

    def _find(self, operation: str, template: Event, timeout: Optional[float]) -> Optional[Event]:
        line = f"{operation} {encode(template)}"
        if timeout is not None:
            forever = timeout >= _CENTURY_S
            line += " forever" if forever else f" {max(0, round(timeout * 1e9))}ns"
        return self._found(line, operation == "take")

    def _found(self, line: str, is_taken: bool) -> Optional[Event]:
        word, rest = self._request(line, is_taken).words
        return decode(rest) if word == "ok" else None

    def _ask(self, line: str) -> Tuple[str, str]:
        return self._request(line, False).words

    # ---- sending and receiving

    def _request(self, line: str, is_taken: bool) -> _Answer:
        answer = _Answer()
        encoded = line.encode("utf-8")  # first: what cannot be written is no request
        with self._lock:
            if self._end is not None:
                raise LinkError(str(self._end)) from self._end
            self._last += 1
            number = self._last
            self._open[number] = answer
        try:
            self._send(b"#%d %s\n" % (number, encoded))
            answer.done.wait()
        except BaseException:  # such as Ctrl-C: nobody waits for the answer any more
            self._give_up(number)
            raise
        if answer.error is not None:
            raise answer.error
        if is_taken and answer.words[0] == "ok":
            self._send(b"received %d\n" % number)
        return answer

    def _give_up(self, number: int) -> None:
        """Lets the host end a wait. What it has taken already is not confirmed, so that the host
        puts it back at the end of the link."""
        with self._lock:
            if number not in self._open or self._end is not None:
                return
            self._last += 1
            cancel = self._last
            self._open[cancel] = _Answer()
        try:
            self._send(b"#%d cancel %d\n" % (cancel, number))
        except LinkError:
            pass  # the wait has ended with the link

    def _send(self, line: bytes) -> None:
        with self._sending:
            try:
                self._socket.sendall(line)
            except BaseException as failure:  # part of a line may be sent: no other may follow
                self._shut()
                if not isinstance(failure, OSError):
                    raise
                raise LinkError(f"the link to the host has ended: {failure}") from failure

    def _shut(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _receive(self) -> None:
        try:
            rest = bytearray()
            for part in iter(lambda: self._socket.recv(_PART), b""):
                rest += part
                if b"\n" in part:
                    *lines, rest = rest.split(b"\n")
                    for line in lines:
                        self._take(line.decode("utf-8", "replace"))
            hint = "" if self._has_answered else "; " + _OTHER_PORT
            self._end_with(LinkError("the host has ended the link" + hint))
        except Exception as failure:  # whatever it is, those who wait are told
            self._end_with(LinkError(f"the link has failed: {failure}"))

    def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "match":
            matches = self._matches.get(int(rest))
            if matches is not None and matches.qsize() < _MATCHES:
                matches.put(True)
            return
        if not word.startswith("#"):
            hint = "" if self._has_answered or word == "error" else "; " + _OTHER_PORT
            raise LinkError("the host says: " + line + hint)
        self._has_answered = True
        number = int(word[1:])
        answer = self._open[number]
        word, _, rest = rest.partition(" ")
        if word == "event":
            answer.events.append(decode(rest))
            return
        if word == "error":
            code, _, text = rest.partition(" ")
            kind = ConflictError if code == "conflict" else TaktError
            answer.error = kind(code, text)
        answer.words = (word, rest)
        with self._lock:
            del self._open[number]
        answer.done.set()

    def _end_with(self, why: Exception) -> None:
        with self._lock:
            self._end = why
            for answer in self._open.values():
                answer.error = why
                answer.done.set()
            self._open.clear()
            for matches in self._matches.values():
                matches.put(False)


class Subscription:
    """A template, of whose matches the host tells."""

    def __init__(self, space: Space, number: int, matches: "queue.SimpleQueue[bool]") -> None:
        self._space = space
        self._number = number
        self._matches = matches
        self._is_closed = False

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def next(self, timeout: Optional[float] = None) -> Optional[Event]:
        """Takes the oldest match; waits for one for `timeout` seconds (None: without end). Returns
        None if there is none, or another thread has closed the subscription."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._is_closed:
            try:
                event = self._space._found(f"next {self._number}", True)
            except TaktError:
                if self._is_closed:
                    return None  # the host knows it no more
                raise
            if event is not None:
                return event
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return None
            try:
                is_match = self._matches.get(timeout=left)
            except queue.Empty:
                return None
            if not is_match:
                self._matches.put(False)  # for the other threads that wait here
                if not self._is_closed:
                    raise LinkError(str(self._space._end))
        return None

    def events(self) -> Iterator[Event]:
        """Takes matches until the subscription is closed."""
        event = self.next()
        while event is not None:
            yield event
            event = self.next()

    def close(self) -> None:
        """Ends the subscription, and the waits for its matches."""
        with self._space._lock:
            is_open = self._space._matches.pop(self._number, None) is not None
            self._is_closed = True
        self._matches.put(False)
        if is_open and self._space._end is None:
            self._space._ask(f"unsubscribe {self._number}")


class Transaction:
    """What is done in one; nobody else sees it before it is committed."""

    def __init__(self, space: Space, number: int) -> None:
        self._space = space
        self._number = number
        self._has_ended = False

    def __enter__(self) -> "Transaction":
        return self

    def __exit__(self, kind: object, *rest: object) -> None:
        if self._has_ended:
            return
        if kind is None:
            self.commit()
        else:
            try:
                self.rollback()
            except (TaktError, LinkError):
                pass  # the exception that ends it says more

    def write(self, event: Event) -> None:
        """Adds an event."""
        self._space._ask(f"in {self._number} write {encode(event)}")

    def take(self, template: Event = {}) -> Optional[Event]:
        """Takes the oldest match, or returns None."""
        return self._space._found(f"in {self._number} take {encode(template)}", False)

    def read(self, template: Event = {}) -> Optional[Event]:
        """Copies the oldest match, or returns None."""
        return self._space._found(f"in {self._number} read {encode(template)}", False)

    def test(self, template: Event = {}) -> bool:
        """Returns whether there is a match."""
        return self._space._ask(f"in {self._number} test {encode(template)}")[0] == "ok"

    def commit(self) -> None:
        """Makes all of it visible at once; a ConflictError if it has lost a conflict."""
        self._has_ended = True
        if self._space._ask(f"in {self._number} commit")[0] != "ok":
            raise ConflictError("conflict", "the transaction has lost a conflict; try again")

    def rollback(self) -> None:
        """Ends it without effect."""
        self._has_ended = True
        self._space._ask(f"in {self._number} rollback")


def connect(
    host: str,
    port: int,
    timeout: Optional[float] = 10.0,
    token: Optional[str] = None,
    tls: Optional[ssl.SSLContext] = None,
) -> Space:
    """Connects to a host that speaks the line protocol.

    `token` says who the client is, where the host wants to know; a wrong one is a TaktError. `tls`
    is for addresses lines+tls://, such as ssl.create_default_context(). If the link ends before
    the host has answered the token, or TLS, others are tried for `timeout` seconds in all: the host
    may be starting again. One that is not there at first is an OSError at once.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    pause = _FIRST_PAUSE
    was_there = False
    while True:
        left = None if deadline is None else max(0.001, deadline - time.monotonic())
        try:
            return _introduce(_reach(host, port, left, was_there), host, token, tls)
        except _CutError:
            was_there = True
            if deadline is not None and time.monotonic() + pause >= deadline:
                raise
            time.sleep(pause)
            pause = min(2 * pause, _LAST_PAUSE)


def _reach(host: str, port: int, timeout: Optional[float], was_there: bool) -> socket.socket:
    try:
        return socket.create_connection((host, port), timeout)
    except OSError as none:
        if isinstance(none, ConnectionRefusedError):
            address = f"lines://{host}:{port}"
            none.strerror = f"no host listens there; ./takt serve --listen {address} starts one"
            none.filename = address
        if not was_there:
            raise
        raise _CutError(f"{_CUT}, and then: {none}") from none


def _introduce(
    link: socket.socket, host: str, token: Optional[str], tls: Optional[ssl.SSLContext]
) -> Space:
    try:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = link if tls is None else _Tls(link, tls, host)
        if token is not None:
            _say_token(connection, token)
    except (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError) as cut:
        link.close()
        raise _CutError(f"{_CUT}: {cut}; {_OTHER_PORT}") from cut
    except BaseException:
        link.close()
        raise
    connection.settimeout(None)
    return Space(connection)


def _say_token(connection: Union[socket.socket, _Tls], token: str) -> None:
    if not token:
        raise ValueError("the token is empty; leave it out where the host wants none")
    if not token.isprintable():
        raise ValueError("a token is a text without line ends")
    connection.sendall(f"token {token}\n".encode("utf-8"))
    answer = b""
    while not answer.endswith(b"\n"):  # nothing comes behind it before the next request
        part = connection.recv(1024)
        if not part:  # who has another protocol ends with some words of it
            cut = LinkError if answer else _CutError
            raise cut(f"{_CUT}; {_OTHER_PORT}")
        answer += part
    word, _, rest = answer.decode("utf-8", "replace").strip().partition(" ")
    if word not in ("ok", "error"):
        raise LinkError("no answer of the line protocol; " + _OTHER_PORT)
    if word != "ok":
        code, _, text = rest.partition(" ")
        raise TaktError(code, text)
