package dev.ratelimit.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A web stack, with the jars of its applications.
 */
enum HttpStack {

	SERVLET, WEBFLUX;

	Path jar(HttpRow row) {
		HttpRow.Application application = row.application();
		Path jar = row.checkout().resolve(application.directory()).resolve(application.file() + "-" + this + ".jar");
		if (!Files.isReadable(jar)) {
			throw new IllegalStateException("There is no " + jar + ": run 'mvn -pl"
					+ " benchmarks,benchmarks/http,benchmarks/http-bucket4j -am package -DskipTests' at the"
					+ " top of its checkout, and this at the top of the project");
		}
		return jar;
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
