package dev.ratelimit.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.springframework.boot.WebApplicationType;

/**
 * The server and threading model of an application.
 */
enum Server {

	SERVLET("servlet", WebApplicationType.SERVLET, false, 200),

	/** The number of threads is suitable for two cores. */
	SMALL_POOL("servlet, 16 threads", WebApplicationType.SERVLET, false, 16),

	VIRTUAL("servlet, virtual threads", WebApplicationType.SERVLET, true, 200),

	WEBFLUX("WebFlux", WebApplicationType.REACTIVE, false, 200),

	/** A dedicated thread accepts connections. */
	ACCEPT_THREAD("WebFlux, accept thread", WebApplicationType.REACTIVE, false, 200, "-Dreactor.netty.ioSelectCount=1");

	private static final Set<Server> TUNED = EnumSet.of(SMALL_POOL, ACCEPT_THREAD);

	private static final int VIRTUAL_THREADS_SINCE = 21;

	/** The comma-separated names of the selected servers. If empty, all are selected. */
	private static final String CHOSEN = System.getProperty("test.servers", "");

	private final String title;

	private final WebApplicationType stack;

	private final boolean virtualThreads;

	private final int tomcatThreads;

	private final List<String> jvmOptions;

	Server(String title, WebApplicationType stack, boolean virtualThreads, int tomcatThreads, String... jvmOptions) {
		this.title = title;
		this.stack = stack;
		this.virtualThreads = virtualThreads;
		this.tomcatThreads = tomcatThreads;
		this.jvmOptions = List.of(jvmOptions);
	}

	/**
	 * Return the servers with default settings that this JVM supports.
	 */
	static List<Server> offered() {
		return offeredAndTuned().stream()
			.filter((server) -> !TUNED.contains(server) && (CHOSEN.isEmpty() || CHOSEN.contains(server.name())))
			.toList();
	}

	/**
	 * Return the servers that this JVM supports, including those with the settings that
	 * the documentation recommends.
	 */
	static List<Server> offeredAndTuned() {
		int version = Runtime.version().feature();
		if (version < VIRTUAL_THREADS_SINCE) {
			System.out.println("JDK " + version + " has no virtual threads: no scenario runs on them");
		}
		return Arrays.stream(values())
			.filter((server) -> !server.virtualThreads || version >= VIRTUAL_THREADS_SINCE)
			.toList();
	}

	List<String> arguments() {
		List<String> arguments = new ArrayList<>(this.jvmOptions);
		arguments.addAll(List.of("--spring.main.web-application-type=" + this.stack.name().toLowerCase(Locale.ROOT),
				"--spring.threads.virtual.enabled=" + this.virtualThreads,
				"--server.tomcat.threads.max=" + this.tomcatThreads));
		return arguments;
	}

	@Override
	public String toString() {
		return this.title;
	}

}
