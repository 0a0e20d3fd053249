package dev.ratelimit.live;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;

import dev.ratelimit.store.Upkeep;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class FileRuleSourceTests extends RuleSourceContract {

	private static final Duration INTERVAL = Duration.ofMillis(25);

	@TempDir
	private Path directory = Path.of("");

	private final Upkeep upkeep = new Upkeep();

	private RuleSource source = new FileRuleSource(Path.of(""), this.upkeep, INTERVAL);

	@BeforeEach
	void create() {
		this.source = new FileRuleSource(this.directory.resolve("rules.yml"), this.upkeep, INTERVAL);
	}

	@AfterEach
	void end() {
		this.upkeep.close();
	}

	@Override
	protected RuleSource source() {
		return this.source;
	}

	@Override
	protected Duration settled() {
		return INTERVAL.multipliedBy(4);
	}

	// A missing file is an error, because its name may be mistyped.
	@Override
	protected String nothing() {
		return "failed: the file does not exist";
	}

	@Override
	protected void put(String text) throws IOException {
		Files.writeString(this.directory.resolve("rules.yml"), text);
	}

	@Override
	protected void remove() throws IOException {
		Files.delete(this.directory.resolve("rules.yml"));
	}

	@Test
	void theFileOfAConfigMapIsReplacedByALink() throws Exception {
		FileTime time = FileTime.fromMillis(1_700_000_000_000L);
		Path link = this.directory.resolve("rules.yml");
		Files.createSymbolicLink(this.directory.resolve("data"), version("one", "rules: {a: {limit: 1/s}}", time));
		Files.createSymbolicLink(link, Path.of("data", "rules.yml"));
		this.source.start(this.log);
		RuleDocument before = this.log.document();
		Files.createSymbolicLink(this.directory.resolve("data-next"), version("two", "rules: {a: {limit: 2/s}}", time));
		Files.move(this.directory.resolve("data-next"), this.directory.resolve("data"), StandardCopyOption.ATOMIC_MOVE);
		RuleDocument after = this.log.document();
		assertThat(before.version()).isEqualTo(1_700_000_000L);
		assertThat(after.version()).isEqualTo(1_700_000_001L);
		assertThat(after.rules()).isEqualTo(Map.of("a", Map.of("limit", "2/s")));
	}

	private Path version(String name, String text, FileTime time) throws IOException {
		Path file = Files.createDirectory(this.directory.resolve(name)).resolve("rules.yml");
		Files.writeString(file, text);
		Files.setLastModifiedTime(file, time);
		return Path.of(name);
	}

	@Test
	void aFileThatIsOnlyTouchedIsNoChange() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		this.source.start(this.log);
		this.log.document();
		Files.setLastModifiedTime(this.directory.resolve("rules.yml"), FileTime.fromMillis(0));
		this.log.nothingNewFor(settled());
	}

	@Test
	void directoryInPlaceOfFileFails() throws Exception {
		Files.createDirectory(this.directory.resolve("rules.yml"));
		this.source.start(this.log);
		assertThat(this.log.await("failed")).isEqualTo("failed: it cannot be read");
	}

	@Test
	void textThatIsNotUtf8IsInvalid() throws Exception {
		Files.write(this.directory.resolve("rules.yml"), new byte[] { 'r', (byte) 0xc3, 'u' });
		this.source.start(this.log);
		assertThat(this.log.await("invalid")).isEqualTo("invalid: the text is not UTF-8");
	}

	@Test
	void aLargeFileIsNotRead() throws Exception {
		try (RandomAccessFile file = new RandomAccessFile(this.directory.resolve("rules.yml").toFile(), "rw")) {
			file.setLength(1L << 32);
		}
		this.source.start(this.log);
		assertThat(this.log.await("invalid")).contains("at most");
	}

}
