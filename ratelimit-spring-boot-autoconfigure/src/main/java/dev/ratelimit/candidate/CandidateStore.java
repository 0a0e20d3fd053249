package dev.ratelimit.candidate;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleSourceException;

/**
 * Internal: the store of the candidate of all instances, and of their counts. All methods
 * except {@link #start} block, for a few seconds at most. Thread-safe.
 */
public interface CandidateStore extends AutoCloseable {

	/**
	 * Start to read the candidate. Does not block.
	 * @param changes receives the candidate when it is replaced or removed
	 */
	void start(Consumer<Optional<CandidateDocument>> changes);

	/**
	 * Return the time, by the clock of the start times of candidates.
	 * @return milliseconds since the epoch
	 */
	long nowMillis();

	/**
	 * Start a candidate, if its base is the newest version of the source, and there is no
	 * other candidate.
	 * @param base the document that it is based on; empty for none
	 * @param rules all live entries by rule id
	 * @param user the user that starts it
	 * @param note the reason; may be empty
	 * @return its version
	 * @throws EditConflictException if the rules have changed, or there is another
	 * candidate
	 * @throws RuleSourceException if the store is unavailable
	 */
	long write(Optional<RuleDocument> base, Map<String, Object> rules, String user, String note);

	/**
	 * Return the candidate, and the counts of all instances.
	 * @return both; empty if there is no candidate
	 * @throws RuleSourceException if the store is unavailable
	 */
	Optional<Counted> read();

	/**
	 * End a candidate.
	 * @param version its version
	 * @param user the user that ends it
	 * @return whether there was one
	 * @throws RuleSourceException if the store is unavailable
	 */
	boolean end(long version, String user);

	/**
	 * Add counts of this instance.
	 * @param version the candidate's version
	 * @param counts counts by rule and difference
	 * @throws RuleSourceException if the store is unavailable
	 */
	void add(long version, Map<String, Map<String, Long>> counts);

	@Override
	void close();

	/**
	 * A candidate and its counts.
	 *
	 * @param document the candidate
	 * @param counts counts by rule and difference
	 */
	record Counted(CandidateDocument document, Map<String, Map<String, Long>> counts) {
	}

}
