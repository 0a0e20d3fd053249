package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The result of the load generator wrk, which sends one request at a time on each
 * connection.
 *
 * @param requests the number of requests with a response
 * @param requestsPerSecond the number of requests per second
 * @param p50Millis the median of the latency
 * @param p99Millis the latency that 1 % of the requests exceed
 */
record Wrk(long requests, double requestsPerSecond, double p50Millis, double p99Millis) {

	private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");

	private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)()");

	private static final Pattern P50 = Pattern.compile("50%\\s+([\\d.]+)(us|ms|s)");

	private static final Pattern P99 = Pattern.compile("99%\\s+([\\d.]+)(us|ms|s)");

	private static final Map<String, Double> MILLIS = Map.of("", 1.0, "us", 0.001, "ms", 1.0, "s", 1000.0);

	static Wrk run(URI address, int connections, Duration time, boolean refused)
			throws IOException, InterruptedException {
		String text = output(new ProcessBuilder("wrk", "-t2", "-c" + connections, "-d" + time.toSeconds() + "s",
				"--timeout", "10s", "--latency", address.toString()));
		if (text.contains("Non-2xx") != refused || text.contains("Socket errors")) {
			throw new IllegalStateException(
					"Not all requests were " + ((refused) ? "refused" : "allowed") + ":\n" + text);
		}
		return new Wrk(Long.parseLong(find(REQUESTS, text).group(1)), number(RATE, text), number(P50, text),
				number(P99, text));
	}

	private static String output(ProcessBuilder command) throws IOException, InterruptedException {
		Process wrk = start(command.redirectErrorStream(true));
		String text = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (wrk.waitFor() != 0) {
			throw new IllegalStateException("wrk failed:\n" + text);
		}
		return text;
	}

	private static Process start(ProcessBuilder command) throws IOException {
		try {
			return command.start();
		}
		catch (IOException ex) {
			throw new IOException("The load generator 'wrk' is not on the PATH (on Debian: apt-get install wrk)", ex);
		}
	}

	private static double number(Pattern pattern, String text) {
		MatchResult found = find(pattern, text);
		return Double.parseDouble(found.group(1)) * MILLIS.getOrDefault(found.group(2), 1.0);
	}

	private static MatchResult find(Pattern pattern, String text) {
		return pattern.matcher(text)
			.results()
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("wrk did not say " + pattern + ":\n" + text));
	}

}
