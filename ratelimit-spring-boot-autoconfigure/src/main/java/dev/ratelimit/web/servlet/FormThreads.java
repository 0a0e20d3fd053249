package dev.ratelimit.web.servlet;

import dev.ratelimit.base.ServerThreads;
import dev.ratelimit.store.Time;
import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Configures the reader of forms by the settings of the server: the same maximum size,
 * and a quarter of the threads.
 */
final class FormThreads {

	private static final int SERVER_THREADS_PER_FORM_THREAD = 4;

	private static final DataSize TOMCAT_SIZE = DataSize.ofMegabytes(2);

	private static final DataSize JETTY_SIZE = DataSize.ofBytes(200_000);

	private static final int DEFAULT_FIELDS = 1000;

	private static final String JETTY = "jetty/";

	private FormThreads() {
	}

	static ServletForms of(Environment environment, @Nullable ServletContext server, Time time) {
		boolean jetty = server != null && String.valueOf(server.getServerInfo()).startsWith(JETTY);
		return new ServletForms(Math.max(1, ServerThreads.max(environment) / SERVER_THREADS_PER_FORM_THREAD),
				size(environment, !jetty), time::nanos);
	}

	/**
	 * Return the maximum size of forms, as configured for the server.
	 * @param environment the properties of the server
	 * @param tomcat true for Tomcat, false for Jetty
	 * @return the size
	 */
	static FormSize size(Environment environment, boolean tomcat) {
		DataSize bytes = (tomcat)
				? environment.getProperty("server.tomcat.max-http-form-post-size", DataSize.class, TOMCAT_SIZE)
				: environment.getProperty("server.jetty.max-http-form-post-size", DataSize.class, JETTY_SIZE);
		int fields = environment.getProperty(
				(tomcat) ? "server.tomcat.max-parameter-count" : "server.jetty.max-form-keys", Integer.class,
				DEFAULT_FIELDS);
		// If the server has no maximum, a maximum is set here.
		return new FormSize(
				(int) ((bytes.isNegative()) ? TOMCAT_SIZE.toBytes()
						: Math.min(bytes.toBytes(), Integer.MAX_VALUE - 16)),
				(fields < 0) ? Integer.MAX_VALUE : fields);
	}

}
