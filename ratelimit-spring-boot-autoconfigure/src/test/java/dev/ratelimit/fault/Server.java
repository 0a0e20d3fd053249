package dev.ratelimit.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.springframework.boot.WebApplicationType;

/**
 * What a request runs on.
 */
enum Server {

	SERVLET("servlet", WebApplicationType.SERVLET, false, 200),

	/** As many threads as suit two cores. */
	SMALL_POOL("servlet, 16 threads", WebApplicationType.SERVLET, false, 16),

	VIRTUAL("servlet, virtual threads", WebApplicationType.SERVLET, true, 200),

	WEBFLUX("WebFlux", WebApplicationType.REACTIVE, false, 200),

	/** Connections are accepted on a thread that does nothing else. */
	ACCEPT_THREAD("WebFlux, accept thread", WebApplicationType.REACTIVE, false, 200, "-Dreactor.netty.ioSelectCount=1");

	private static final Set<Server> TUNED = EnumSet.of(SMALL_POOL, ACCEPT_THREAD);

	private static final int VIRTUAL_THREADS_SINCE = 21;

	/** Names, separated by commas; all if there is none. */
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
	 * Those that this JVM can run, with their default settings.
	 */
	static List<Server> offered() {
		return offeredAndTuned().stream()
			.filter((server) -> !TUNED.contains(server) && (CHOSEN.isEmpty() || CHOSEN.contains(server.name())))
			.toList();
	}

	/**
	 * Those that this JVM can run, also with the settings that the documentation
	 * recommends.
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
