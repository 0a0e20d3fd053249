package dev.ratelimit.sample;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample, processed ahead of time: either by Maven with its own configuration, or by
 * this class with another configuration and the same processor.
 *
 * @param classPath the class path to run the sample with
 */
record ProcessedSample(String classPath) {

	private static final String APPLICATION = SampleApplication.class.getName();

	private static final String PROCESSOR = "org.springframework.boot.SpringApplicationAotProcessor";

	/** The class path without the classes that only tests of the sample need. */
	private static final String CLASS_PATH = Arrays
		.stream(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
			.split(File.pathSeparator))
		.filter((entry) -> !entry.endsWith("test-classes"))
		.collect(Collectors.joining(File.pathSeparator));

	static ProcessedSample byMaven() {
		assertThat(SampleApplication.class.getResource("SampleApplication__ApplicationContextInitializer.class"))
			.as("the profile 'long' processes the sample")
			.isNotNull();
		return new ProcessedSample(CLASS_PATH);
	}

	static ProcessedSample with(Path target, String... arguments) {
		Path sources = target.resolve("sources");
		Path resources = target.resolve("resources");
		Path classes = target.resolve("classes");
		List<String> settings = new ArrayList<>(List.of(APPLICATION, sources.toString(), resources.toString(),
				classes.toString(), "dev.ratelimit", "sample-app"));
		settings.addAll(List.of(arguments));
		SampleProcess processor = SampleProcess.start(CLASS_PATH, PROCESSOR, List.of(), settings);
		assertThat(processor.end()).as(processor.toString()).isZero();
		compile(sources, classes);
		return new ProcessedSample(
				String.join(File.pathSeparator, classes.toString(), resources.toString(), CLASS_PATH));
	}

	/**
	 * Start the sample as it was processed, on a free port.
	 */
	SampleProcess start(String... arguments) {
		List<String> all = new ArrayList<>(List.of("--server.port=0", "--ratelimit.deadline=20s"));
		all.addAll(List.of(arguments));
		return SampleProcess.start(this.classPath, APPLICATION, List.of("-Dspring.aot.enabled=true"), all);
	}

	private static void compile(Path sources, Path classes) {
		try (Stream<Path> files = Files.walk(sources)) {
			List<String> options = new ArrayList<>(List.of("-proc:none", "-parameters", "-nowarn", "-cp",
					classes + File.pathSeparator + CLASS_PATH, "-d", classes.toString()));
			files.map(Path::toString).filter((file) -> file.endsWith(".java")).forEach(options::add);
			assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
				.isZero();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
