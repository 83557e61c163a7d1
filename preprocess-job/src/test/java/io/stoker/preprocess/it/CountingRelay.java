package io.stoker.preprocess.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Passes HTTP/1.1 connections on to a port of loopback, byte for byte, so that signatures stay
 * valid. It disturbs those exchanges that a script names, and writes down every exchange. It reads
 * just enough of HTTP to know where messages end.
 */
final class CountingRelay implements AutoCloseable {
  private static final int BACKLOG = 500;

  private final int target;
  private final ServerSocket listener;
  private final FaultScript script;
  private final List<Exchange> exchanges = new CopyOnWriteArrayList<>();

  /**
   * One request and its answer.
   *
   * @param path of the request line, still percent-encoded, with its query
   * @param status 0 where no answer arrived
   * @param body bytes of the answer's body so far
   * @param request the request's head
   */
  record Exchange(String method, String path, int status, AtomicLong body, String request) {
    static Exchange unanswered(String[] line, int status, String request) {
      return new Exchange(line[0], line[1], status, new AtomicLong(), request);
    }

    long bodyBytes() {
      return body.get();
    }
  }

  private CountingRelay(int target, ServerSocket listener, FaultScript script) {
    this.target = target;
    this.listener = listener;
    this.script = script;
  }

  static CountingRelay start(int target) throws IOException {
    return start(target, new FaultScript());
  }

  static CountingRelay start(int target, FaultScript script) throws IOException {
    return start(target, 0, script);
  }

  /** One that listens on a given port. */
  static CountingRelay start(int target, int port, FaultScript script) throws IOException {
    ServerSocket listener = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
    CountingRelay relay = new CountingRelay(target, listener, script);
    relay.inBackground(relay::accept);
    return relay;
  }

  int port() {
    return listener.getLocalPort();
  }

  /** The exchanges so far, in no particular order. */
  List<Exchange> exchanges() {
    return List.copyOf(exchanges);
  }

  private void inBackground(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        inBackground(() -> serve(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        RelayPipe up = new RelayPipe(client.getInputStream(), server.getOutputStream());
        RelayPipe down = new RelayPipe(server.getInputStream(), client.getOutputStream())) {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      while (exchange(client, up, down)) {
        // The loop condition does the work.
      }
    } catch (IOException e) {
      // Either side hung up, as it may.
    }
  }

  /** Passes one exchange on; returns whether the connection may carry another one. */
  private boolean exchange(Socket client, RelayPipe up, RelayPipe down) throws IOException {
    String request = up.readHead();
    if (request.isBlank()) {
      return false;
    }
    String[] line = request.lines().findFirst().orElseThrow().split(" ");
    Fault fault = script.next(line[0] + " " + line[1]);
    if (fault instanceof Fault.Reset) {
      exchanges.add(Exchange.unanswered(line, 0, request));
      return reset(client);
    }
    if (fault instanceof Fault.Answer made) {
      exchanges.add(Exchange.unanswered(line, made.status(), request));
      if (!expectsContinue(request)) {
        up.damage(BodyFault.SWALLOW);
        up.body(request, false);
      }
      down.pass(line[0].equals("HEAD") ? made.text().split("<", 2)[0] : made.text());
      return false;
    }
    return answer(client, request, fault, up, down);
  }

  private boolean answer(
      Socket client, String request, @Nullable Fault fault, RelayPipe up, RelayPipe down)
      throws IOException {
    String[] line = request.lines().findFirst().orElseThrow().split(" ");
    up.pass(request);
    String answer = expectsContinue(request) ? down.readHead() : "";
    if (!answer.isEmpty() && status(answer) == 100) {
      down.pass(answer);
      answer = "";
    }
    if (answer.isEmpty()) {
      up.body(request, false);
      answer = down.readHead();
    }
    if (answer.isBlank()) {
      return false;
    }
    int status = status(answer);
    boolean bodiless = line[0].equals("HEAD") || status == 204 || status == 304;
    if (fault instanceof Fault.Lost) {
      exchanges.add(Exchange.unanswered(line, 0, request));
      // A server may begin to answer before it has done what it is asked.
      if (!bodiless) {
        down.discard(answer);
      }
      return reset(client);
    }
    AtomicLong bytes =
        down.damage(fault instanceof Fault.Body body ? body.damage() : BodyFault.NONE);
    // This comes before the client can have the answer, so that a test that has it finds it here.
    exchanges.add(new Exchange(line[0], line[1], status, bytes, request));
    if (fault instanceof Fault.Late late) {
      BodyFault.sleep(late.delay().toMillis());
    }
    down.pass(answer);
    try {
      if (!bodiless) {
        down.body(answer, true);
      }
    } catch (BodyFault.CutException e) {
      return fault instanceof Fault.Body body && body.reset() && reset(client);
    }
    return !header(answer, "connection").equalsIgnoreCase("close");
  }

  private static boolean expectsContinue(String request) {
    return header(request, "expect").equalsIgnoreCase("100-continue");
  }

  /** Ends a connection so that the other side sees an error, not an end. */
  private static boolean reset(Socket client) throws IOException {
    client.setSoLinger(true, 0);
    client.close();
    return false;
  }

  private static int status(String head) {
    return Integer.parseInt(head.split(" ", 3)[1].strip());
  }

  /** Value of a header, or nothing. */
  static String header(String head, String name) {
    return head.lines()
        .skip(1)
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
