package dev.ratelimit.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Follows the checklist for a release up to the upload, in a new repository with the
 * files that the checklist changes.
 */
class ReleaseChecklistTests {

	private static final Path ROOT = Path.of(System.getProperty("release.root"));

	private static final Pattern COMMANDS = Pattern.compile("(?ms)^```\n(.*?)^```$");

	@TempDir
	private Path folder;

	private Path repository;

	@BeforeEach
	void makeRepository() throws IOException {
		this.repository = Files.createDirectory(this.folder.resolve("repository"));
		Result made = run(ROOT,
				"cp -r pom.xml README.md CHANGELOG.md .ci '" + this.repository + "' && cd '" + this.repository
						+ "' && git init -q && git config user.name release"
						+ " && git config user.email release@example.org && git add -A && git commit -q -m start");
		assertThat(made.status()).as(made.output()).isZero();
	}

	private static Result run(Path directory, String commands) throws IOException {
		Path output = Files.createTempFile("release", ".txt");
		try {
			Process process = new ProcessBuilder("bash", "-eu", "-c", commands).directory(directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(commands).isTrue();
			return new Result(process.exitValue(), Files.readString(output));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		finally {
			Files.delete(output);
		}
	}

	private static List<String> commands() throws IOException {
		String page = Files.readString(ROOT.resolve("CONTRIBUTING.md"), StandardCharsets.UTF_8);
		String section = page.split("\n## Release\n")[1].split("\n## ")[0];
		return COMMANDS.matcher(section)
			.results()
			.map(MatchResult::group)
			.map((block) -> block.replace("```", ""))
			.toList();
	}

	private Result check() throws IOException {
		return run(this.repository, ".ci/release --check");
	}

	@Test
	void theChecklistMakesACommitThatCanBeReleasedAndBeginsTheNextVersion() throws IOException {
		List<String> commands = commands();
		assertThat(commands).hasSize(2);
		Result released = run(this.repository, commands.get(0));
		assertThat(released.status()).as(released.output()).isZero();
		assertThat(released.output()).contains("ready to be released as " + Bundle.read().version());
		Result begun = run(this.repository, commands.get(1));
		assertThat(begun.status()).as(begun.output()).isZero();
		assertThat(Files.readString(this.repository.resolve("pom.xml"))).contains("<revision>0.2.0</revision>");
		assertThat(Files.readString(this.repository.resolve("CHANGELOG.md")))
			.containsSubsequence("## [Unreleased]", "## [" + Bundle.read().version() + "] - ")
			.containsOnlyOnce("## [Unreleased]");
		assertThat(check().output()).contains("HEAD is not tagged v0.2.0");
	}

	@Test
	void aCommitWithoutTagOrSectionIsNotReleased() throws IOException {
		Result untagged = check();
		assertThat(untagged.status()).isNotZero();
		assertThat(untagged.output()).contains("HEAD is not tagged v" + Bundle.read().version());
		run(this.repository, "git tag v" + Bundle.read().version());
		Result undescribed = check();
		assertThat(undescribed.status()).isNotZero();
		assertThat(undescribed.output()).contains("CHANGELOG.md has no heading");
	}

	@Test
	void changesThatAreNotCommittedAreNotReleased() throws IOException {
		Files.writeString(this.repository.resolve("README.md"), "changed");
		Result changed = check();
		assertThat(changed.status()).isNotZero();
		assertThat(changed.output()).contains("The working tree has changes");
	}

	@Test
	void withoutAKeyNothingIsReleased() throws IOException {
		Result released = run(this.repository, commands().get(0) + "\nMAVEN_GPG_KEY= .ci/release");
		assertThat(released.status()).isNotZero();
		assertThat(released.output()).contains("MAVEN_GPG_KEY is not set");
	}

	private record Result(int status, String output) {

	}

}
