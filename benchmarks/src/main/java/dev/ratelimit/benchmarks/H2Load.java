package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The result of the load generator h2load, which sends calls of gRPC over HTTP/2.
 *
 * @param calls the number of calls with a response
 * @param callsPerSecond the number of calls per second
 * @param p50Millis the median of the latency
 * @param p99Millis the latency that 1 % of the calls exceed
 */
record H2Load(long calls, double callsPerSecond, double p50Millis, double p99Millis) {

	/** The number of connections, like those from the workers of a proxy. */
	static final int CONNECTIONS = 4;

	/** The number of concurrent calls on each connection. */
	static final int STREAMS = 16;

	private static final Pattern RATE = Pattern.compile("finished in \\S+, ([\\d.]+) req/s");

	private static final Pattern REQUESTS = Pattern
		.compile("(\\d+) total, \\d+ started, (\\d+) done, (\\d+) succeeded, (\\d+) failed, (\\d+) errored");

	private static final List<String> HEADERS = List.of("-H", "content-type: application/grpc", "-H", "te: trailers");

	/**
	 * Send calls.
	 * @param address the address of the method
	 * @param message a file with the message of each call
	 * @param time the duration
	 * @param perSecond the number of calls per second; 0 to send the next call after each
	 * response
	 * @return the result
	 */
	static H2Load run(URI address, Path message, Duration time, int perSecond)
			throws IOException, InterruptedException {
		Path log = Files.createTempFile("h2load", ".log");
		try {
			List<String> command = new ArrayList<>(List.of("h2load", "-t1", "-c" + CONNECTIONS, "-m" + STREAMS,
					"-D" + time.toMillis() + "ms", "-d" + message, "--log-file=" + log));
			command.addAll(HEADERS);
			if (perSecond > 0) {
				command.add("--rps=" + perSecond / CONNECTIONS);
			}
			command.add(address.toString());
			String text = output(command);
			MatchResult requests = find(REQUESTS, text);
			if (!requests.group(2).equals(requests.group(3))) {
				throw new IllegalStateException("Not all calls were answered:\n" + text);
			}
			double[] millis = latencies(log);
			return new H2Load(Long.parseLong(requests.group(3)), Double.parseDouble(find(RATE, text).group(1)),
					millis[millis.length / 2], millis[(int) (millis.length * 0.99)]);
		}
		finally {
			Files.delete(log);
		}
	}

	/**
	 * Send one call.
	 * @param address the address of the method
	 * @param message a file with the message
	 * @return the message of the response, without its prefix
	 */
	static byte[] call(URI address, Path message) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of("nghttp", "-d" + message));
		command.addAll(HEADERS);
		command.add(address.toString());
		Process nghttp = start(new ProcessBuilder(command));
		byte[] answer = nghttp.getInputStream().readAllBytes();
		String errors = new String(nghttp.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
		if (nghttp.waitFor() != 0 || answer.length < GrpcMessage.PREFIX) {
			throw new IllegalStateException("%s did not answer: %s".formatted(address, errors));
		}
		return GrpcMessage.unwrapped(answer);
	}

	// The columns are the start time, the status, and the microseconds, separated by
	// tabs.
	private static double[] latencies(Path log) throws IOException {
		try (Stream<String> lines = Files.lines(log)) {
			return lines.map((line) -> line.split("\t"))
				.mapToDouble((columns) -> Long.parseLong(columns[2]) / 1000.0)
				.sorted()
				.toArray();
		}
	}

	private static String output(List<String> command) throws IOException, InterruptedException {
		Process h2load = start(new ProcessBuilder(command).redirectErrorStream(true));
		String text = new String(h2load.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (h2load.waitFor() != 0) {
			throw new IllegalStateException("h2load failed:\n" + text);
		}
		return text;
	}

	private static Process start(ProcessBuilder command) throws IOException {
		try {
			return command.start();
		}
		catch (IOException ex) {
			throw new IOException("'%s' is not on the PATH (on Debian: apt-get install nghttp2-client)"
				.formatted(command.command().get(0)), ex);
		}
	}

	private static MatchResult find(Pattern pattern, String text) {
		return pattern.matcher(text)
			.results()
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("h2load did not say " + pattern + ":\n" + text));
	}

}
