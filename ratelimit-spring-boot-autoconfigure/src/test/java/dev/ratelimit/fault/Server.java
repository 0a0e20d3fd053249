package dev.ratelimit.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import org.springframework.boot.WebApplicationType;

/**
 * What a request runs on.
 */
enum Server {

	SERVLET("servlet", WebApplicationType.SERVLET, false),
	VIRTUAL("servlet, virtual threads", WebApplicationType.SERVLET, true),
	WEBFLUX("WebFlux", WebApplicationType.REACTIVE, false);

	private static final int VIRTUAL_THREADS_SINCE = 21;

	private final String title;

	private final WebApplicationType stack;

	private final boolean virtualThreads;

	Server(String title, WebApplicationType stack, boolean virtualThreads) {
		this.title = title;
		this.stack = stack;
		this.virtualThreads = virtualThreads;
	}

	/**
	 * Those that this JVM can run.
	 */
	static List<Server> offered() {
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
				"--spring.threads.virtual.enabled=" + this.virtualThreads);
	}

	@Override
	public String toString() {
		return this.title;
	}

}
