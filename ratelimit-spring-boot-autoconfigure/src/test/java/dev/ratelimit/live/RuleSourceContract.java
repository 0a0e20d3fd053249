package dev.ratelimit.live;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of every {@link RuleSource}. Documents may be delayed, but never
 * reordered.
 */
public abstract class RuleSourceContract {

	protected final SourceLog log = new SourceLog();

	protected abstract RuleSource source();

	/**
	 * Write a text to the location that the source reads.
	 * @param text the text of a document
	 * @throws Exception if the location cannot be written
	 */
	protected abstract void put(String text) throws Exception;

	/**
	 * Remove the content of the location that the source reads.
	 * @throws Exception if the location cannot be written
	 */
	protected abstract void remove() throws Exception;

	/**
	 * Return the time after which no more changes are expected.
	 * @return four times as long as the source takes to notice a change
	 */
	protected Duration settled() {
		return Duration.ofSeconds(1);
	}

	/**
	 * Return the report of the source for a missing document.
	 * @return the prefix of the report in the log
	 */
	protected String nothing() {
		return "absent";
	}

	@AfterEach
	void close() {
		source().close();
	}

	@Test
	void aPlaceWithoutADocumentIsAbsent() throws Exception {
		source().start(this.log);
		assertThat(this.log.await(nothing())).startsWith(nothing());
	}

	@Test
	void theDocumentIsReadWhenTheSourceStarts() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		RuleDocument document = this.log.document();
		assertThat(document.rules()).isEqualTo(Map.of("a", Map.of("limit", "1/s")));
		assertThat(document.version()).isPositive();
	}

	@Test
	void changesAreToldOnceAndVersionsGrow() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		RuleDocument first = this.log.document();
		put("rules: {a: {limit: 2/s}}");
		RuleDocument second = this.log.document();
		assertThat(second.rules()).isEqualTo(Map.of("a", Map.of("limit", "2/s")));
		assertThat(second.version()).isGreaterThan(first.version());
		assertThat(second.digest()).isNotEqualTo(first.digest());
		this.log.nothingNewFor(settled());
		this.log.await("unchanged");
	}

	@Test
	void aDocumentWithoutRulesIsADocument() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		this.log.document();
		put("rules: {}");
		assertThat(this.log.document().rules()).isEmpty();
	}

	@Test
	void emptyTextIsInvalidAndWhatFollowsIsRead() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		this.log.document();
		put("");
		assertThat(this.log.await("invalid")).contains("empty");
		put("rules: {b: {limit: 1/s}}");
		assertThat(this.log.document().rules()).containsOnlyKeys("b");
	}

	@Test
	void invalidDocumentIsReportedAndTheNextIsRead() throws Exception {
		put("rules: {a: &x {limit: 1/s}, b: *x}");
		source().start(this.log);
		assertThat(this.log.await("invalid")).contains("anchors are not allowed");
		put("rules: {b: {limit: 1/s}}");
		assertThat(this.log.document().rules()).containsOnlyKeys("b");
	}

	// Publishing the document again clears the error of the invalid one.
	@Test
	void theFormerDocumentIsPublishedAgainAfterAnInvalidOne() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		RuleDocument before = this.log.document();
		put("rules: {a: &x {limit: 1/s}, b: *x}");
		this.log.await("invalid");
		put("rules: {a: {limit: 1/s}}");
		assertThat(this.log.document().digest()).isEqualTo(before.digest());
	}

	@Test
	protected void aDocumentThatVanishesIsAbsentUntilItReturns() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		RuleDocument before = this.log.document();
		remove();
		this.log.await(nothing());
		put("rules: {a: {limit: 1/s}}");
		RuleDocument after = this.log.document();
		assertThat(after.rules()).isEqualTo(before.rules());
		assertThat(after.digest()).isEqualTo(before.digest());
		assertThat(after.version()).isGreaterThanOrEqualTo(before.version());
	}

	@Test
	void afterItsEndASourceIsSilentAndItCanStartAgain() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		this.log.document();
		source().close();
		this.log.clear();
		put("rules: {a: {limit: 2/s}}");
		Thread.sleep(settled().toMillis());
		assertThat(this.log.size()).isZero();
		source().start(this.log);
		assertThat(this.log.document().rules()).isEqualTo(Map.of("a", Map.of("limit", "2/s")));
	}

	@Test
	void everyReadingIsTold() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		this.log.document();
		this.log.await("unchanged");
		this.log.await("unchanged");
	}

}
