package dev.ratelimit.store.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a demand came to, and what follows for the whole. Filled by several
 * threads, each part by one, and read when all are done.
 */
final class JointReplies {

	private final List<SlotPart> parts;

	private final @Nullable Reply[] replies;

	private final @Nullable Throwable[] failures;

	JointReplies(List<SlotPart> parts) {
		this.parts = parts;
		this.replies = new Reply[parts.size()];
		this.failures = new Throwable[parts.size()];
	}

	void note(int part, @Nullable Reply reply, @Nullable Throwable failure) {
		this.replies[part] = reply;
		this.failures[part] = failure;
	}

	boolean admitted() {
		return Arrays.stream(this.replies).allMatch((reply) -> reply != null && reply.admitted());
	}

	List<Reply> refused() {
		return Arrays.stream(this.replies).filter(Objects::nonNull).filter((reply) -> !reply.admitted()).toList();
	}

	// What is to be given back if the whole is not admitted.
	List<Reply> taken() {
		return Arrays.stream(this.replies)
			.filter(Objects::nonNull)
			.filter((reply) -> reply.admitted() && reply.changed())
			.toList();
	}

	// What will not pass by itself comes before what may.
	StoreException failure() {
		List<StoreException> found = Arrays.stream(this.failures)
			.filter(Objects::nonNull)
			.map(RedisFailures::translate)
			.toList();
		return found.stream().filter((failure) -> failure.kind().wrong()).findFirst().orElseGet(() -> found.get(0));
	}

	/**
	 * The answer for the whole.
	 * @param whole the demand
	 * @param admitted whether it was admitted; if not, what was taken is given back
	 * @return the answer
	 */
	Answer answer(Demand whole, boolean admitted) {
		Verdict[] verdicts = new Verdict[whole.charges().size()];
		Long[] times = new Long[verdicts.length];
		for (int i = 0; i < this.replies.length; i++) {
			Reply reply = this.replies[i];
			List<Verdict> ofPart = verdicts(reply, this.parts.get(i).demand(), admitted);
			for (int j = 0; j < ofPart.size(); j++) {
				verdicts[this.parts.get(i).positions()[j]] = ofPart.get(j);
				times[this.parts.get(i).positions()[j]] = (reply != null) ? reply.atMillis() : 0L;
			}
		}
		return new Answer(admitted, replayed(), Source.REMOTE, atMillis(), List.of(verdicts), List.of(times));
	}

	private static List<Verdict> verdicts(@Nullable Reply reply, Demand part, boolean admitted) {
		return (reply != null) ? reply.answer(admitted).verdicts()
				: part.charges().stream().map(JointReplies::skipped).toList();
	}

	private static Verdict skipped(Charge charge) {
		return Verdict.unmeasured(charge.bucket().family().policy(), Outcome.SKIPPED, charge.cost(), 0);
	}

	// A retry that one of the slots did not know has paid there.
	private boolean replayed() {
		List<Reply> marked = Arrays.stream(this.replies)
			.filter(Objects::nonNull)
			.filter((reply) -> reply.demand().marker().isPresent())
			.toList();
		return !marked.isEmpty() && marked.stream().allMatch(Reply::replayed);
	}

	// The servers' clocks differ: each charge has its own time, by which it is corrected.
	private long atMillis() {
		return Arrays.stream(this.replies).filter(Objects::nonNull).mapToLong(Reply::atMillis).min().orElse(0);
	}

}
