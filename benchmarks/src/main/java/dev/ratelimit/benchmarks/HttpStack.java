package dev.ratelimit.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A web stack, with the jar of its application.
 */
enum HttpStack {

	SERVLET, WEBFLUX;

	private static final Path JARS = Path.of(System.getProperty("jars", "benchmarks/http/target"));

	Path jar() {
		Path jar = JARS.resolve("http-" + this + ".jar");
		if (!Files.isReadable(jar)) {
			throw new IllegalStateException(
					"There is no " + jar + ": run 'mvn -pl benchmarks,benchmarks/http -am package"
							+ " -DskipTests', and this from the top of the project, or say -Djars=<directory>");
		}
		return jar;
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
