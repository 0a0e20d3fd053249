package dev.ratelimit.test.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Reports once, on the console, the source and the version of the server that the tests
 * use.
 */
final class SourceReport {

	private static final AtomicBoolean PRINTED = new AtomicBoolean();

	private SourceReport() {
	}

	static void print(RedisSource source, RedisNode node) {
		if (PRINTED.compareAndSet(false, true)) {
			System.out.println("test redis: %s (%s)".formatted(source.name(), version(node)));
		}
	}

	private static String version(RedisNode node) {
		try (RespClient client = RespClient.connect(node.host(), node.port(), Duration.ofSeconds(5))) {
			return version(client.call("INFO", "server"));
		}
	}

	static String version(String info) {
		Map<String, String> fields = info.lines()
			.filter((line) -> line.contains(":"))
			.map((line) -> line.split(":", 2))
			.collect(Collectors.toMap((field) -> field[0], (field) -> field[1]));
		String name = fields.getOrDefault("server_name", "redis");
		return "%s-server %s".formatted(name, fields.get(name + "_version"));
	}

}
