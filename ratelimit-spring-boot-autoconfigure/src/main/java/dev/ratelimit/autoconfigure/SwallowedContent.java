package dev.ratelimit.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * What a server does with content that was not read when a request is rejected.
 */
final class SwallowedContent {

	private static final DataSize DEFAULT_SIZE = DataSize.ofMegabytes(2);

	private SwallowedContent() {
	}

	// Whether a Tomcat reads it on one of few threads.
	static boolean keepsThreads(Environment environment, ListableBeanFactory beans) {
		DataSize size = environment.getProperty("server.tomcat.max-swallow-size", DataSize.class, DEFAULT_SIZE);
		return size.toBytes() != 0 && !Threading.VIRTUAL.isActive(environment) && WebGateConfiguration.isTomcat(beans);
	}

}
