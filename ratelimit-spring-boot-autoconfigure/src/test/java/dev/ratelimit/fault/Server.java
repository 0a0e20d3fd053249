package dev.ratelimit.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import org.springframework.boot.WebApplicationType;

/**
 * What a request runs on.
 */
enum Server {

	SERVLET("servlet", WebApplicationType.SERVLET, false, 200),

	/** As many threads as suit two cores. */
	SMALL_POOL("servlet, 16 threads", WebApplicationType.SERVLET, false, 16),

	VIRTUAL("servlet, virtual threads", WebApplicationType.SERVLET, true, 200),

	WEBFLUX("WebFlux", WebApplicationType.REACTIVE, false, 200);

	private static final int VIRTUAL_THREADS_SINCE = 21;

	/** Names, separated by commas; all if there is none. */
	private static final String CHOSEN = System.getProperty("test.servers", "");

	private final String title;

	private final WebApplicationType stack;

	private final boolean virtualThreads;

	private final int tomcatThreads;

	Server(String title, WebApplicationType stack, boolean virtualThreads, int tomcatThreads) {
		this.title = title;
		this.stack = stack;
		this.virtualThreads = virtualThreads;
		this.tomcatThreads = tomcatThreads;
	}

	/**
	 * Those that this JVM can run, with their default settings.
	 */
	static List<Server> offered() {
		return offeredWithSmallPool().stream()
			.filter((server) -> server != SMALL_POOL && (CHOSEN.isEmpty() || CHOSEN.contains(server.name())))
			.toList();
	}

	/**
	 * Those that this JVM can run.
	 */
	static List<Server> offeredWithSmallPool() {
		int version = Runtime.version().feature();
		if (version < VIRTUAL_THREADS_SINCE) {
			System.out.println("JDK " + version + " has no virtual threads: no scenario runs on them");
		}
		return Arrays.stream(values())
			.filter((server) -> !server.virtualThreads || version >= VIRTUAL_THREADS_SINCE)
			.toList();
	}

	List<String> arguments() {
		return List.of("--spring.main.web-application-type=" + this.stack.name().toLowerCase(Locale.ROOT),
				"--spring.threads.virtual.enabled=" + this.virtualThreads,
				"--server.tomcat.threads.max=" + this.tomcatThreads);
	}

	@Override
	public String toString() {
		return this.title;
	}

}
