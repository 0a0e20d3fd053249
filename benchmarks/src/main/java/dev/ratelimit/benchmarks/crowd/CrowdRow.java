package dev.ratelimit.benchmarks.crowd;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A row of the table: a feature that holds requests, and a server.
 *
 * @param kind the feature that holds the requests
 * @param server the server
 */
record CrowdRow(Kind kind, Server server) {

	private static final int VIRTUAL_THREADS = 21;

	static List<CrowdRow> all() {
		List<CrowdRow> all = new ArrayList<>();
		all.add(new CrowdRow(Kind.WAIT, Server.WEBFLUX));
		if (Runtime.version().feature() >= VIRTUAL_THREADS) {
			all.add(new CrowdRow(Kind.WAIT, Server.VIRTUAL));
		}
		for (Kind kind : List.of(Kind.TARPIT, Kind.SOCKET)) {
			all.add(new CrowdRow(kind, Server.WEBFLUX));
			all.add(new CrowdRow(kind, Server.TOMCAT));
		}
		return List.copyOf(all);
	}

	String name() {
		return this.kind.label + " (" + this.server.label + ")";
	}

	String fileName() {
		return name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
	}

	List<String> properties(int crowd) {
		List<String> properties = new ArrayList<>(this.server.properties);
		this.kind.properties.forEach((property) -> properties.add(property.replace("{crowd}", String.valueOf(crowd))));
		return properties;
	}

	/**
	 * Return the properties of the server without limits.
	 */
	List<String> bare() {
		List<String> properties = new ArrayList<>(this.server.properties);
		properties.add("benchmark.sockets=" + (this.kind == Kind.SOCKET));
		properties.add("ratelimit.enabled=false");
		return properties;
	}

	/**
	 * A feature that holds requests.
	 */
	enum Kind {

		/** Requests wait in a queue for their turn. */
		WAIT("waiting", "key=global", "limit=1000/s", "burst=1", "wait.max=30s", "wait.queue={crowd}"),

		/**
		 * All requests except the first one are rejected after a delay. The status is
		 * 429, because Tomcat closes connections after 503.
		 */
		TARPIT("tarpit", "key=global", "status=429", "limit=1/h", "on-excess=tarpit", "tarpit.delay=8s",
				"tarpit.max={crowd}"),

		/**
		 * Each client has its own bucket, and the instance renews the slot of the client
		 * in Redis.
		 */
		SOCKET("WebSocket", "key=header:X-Client", "algorithm=concurrency", "limit=5", "hold=connection", "lease=30s");

		private final String label;

		private final List<String> properties = new ArrayList<>();

		Kind(String label, String... rule) {
			this.label = label;
			this.properties.add("ratelimit.wait.max-waiting={crowd}");
			this.properties.add("ratelimit.rules.crowd.paths=/crowd/**");
			this.properties.add("benchmark.sockets=" + label.equals("WebSocket"));
			for (String property : rule) {
				this.properties.add("ratelimit.rules.crowd." + property);
			}
		}

		String request(int number) {
			String upgrade = (this == SOCKET)
					? "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
							+ "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Client: client-" + number + "\r\n"
					: "";
			return "GET /crowd/" + ((this == SOCKET) ? "socket" : "work") + " HTTP/1.1\r\nHost: localhost\r\n" + upgrade
					+ "\r\n";
		}

	}

	/**
	 * A server.
	 */
	enum Server {

		/** Reactor Netty. */
		WEBFLUX("WebFlux", "spring.main.web-application-type=reactive"),

		/** With platform threads. */
		TOMCAT("Tomcat", "spring.main.web-application-type=servlet"),

		/** With virtual threads. */
		VIRTUAL("Tomcat, virtual threads", "spring.main.web-application-type=servlet",
				"spring.threads.virtual.enabled=true");

		private final String label;

		private final List<String> properties;

		Server(String label, String... properties) {
			this.label = label;
			this.properties = List.of(properties);
		}

	}

}
