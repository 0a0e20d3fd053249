package dev.ratelimit.base;

import org.springframework.core.env.Environment;

/**
 * Internal: the threads of a servlet container.
 */
public final class ServerThreads {

	private static final int DEFAULT = 200;

	private ServerThreads() {
	}

	/**
	 * Return the maximum number of threads of Tomcat or Jetty that process requests.
	 * @param environment the properties of the server
	 * @return the number of threads
	 */
	public static int max(Environment environment) {
		int tomcat = environment.getProperty("server.tomcat.threads.max", Integer.class, DEFAULT);
		return environment.getProperty("server.jetty.threads.max", Integer.class, tomcat);
	}

}
