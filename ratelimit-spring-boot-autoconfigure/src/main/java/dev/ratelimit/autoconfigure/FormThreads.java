package dev.ratelimit.autoconfigure;

import dev.ratelimit.store.Time;
import dev.ratelimit.web.servlet.FormSize;
import dev.ratelimit.web.servlet.ServletForms;

import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Fits the reader of forms to the server: it reads what the server would read, on a
 * quarter of the threads.
 */
final class FormThreads {

	private static final int SHARE = 4;

	private static final DataSize DEFAULT_SIZE = DataSize.ofMegabytes(2);

	private static final int DEFAULT_FIELDS = 1000;

	private FormThreads() {
	}

	static ServletForms of(Environment environment, Time time) {
		return new ServletForms(Math.max(1, LoadThreads.threads(environment) / SHARE),
				new FormSize((int) bytes(environment), fields(environment)), time::nanos);
	}

	// A form without a maximum has one here.
	private static long bytes(Environment environment) {
		DataSize tomcat = environment.getProperty("server.tomcat.max-http-form-post-size", DataSize.class,
				DEFAULT_SIZE);
		DataSize size = environment.getProperty("server.jetty.max-http-form-post-size", DataSize.class, tomcat);
		return (size.isNegative()) ? DEFAULT_SIZE.toBytes() : Math.min(size.toBytes(), Integer.MAX_VALUE - 16);
	}

	private static int fields(Environment environment) {
		int tomcat = environment.getProperty("server.tomcat.max-parameter-count", Integer.class, DEFAULT_FIELDS);
		int fields = environment.getProperty("server.jetty.max-form-keys", Integer.class, tomcat);
		return (fields < 0) ? Integer.MAX_VALUE : fields;
	}

}
