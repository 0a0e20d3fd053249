package dev.ratelimit.store.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.Limit;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseTests {

	private static final int THREADS = 4;

	private static final long UNITS = 4_000_000;

	private static final long[] SEEN = { 0, 0 };

	private final BucketFamily family = Demands.family("rule",
			new Limit("token-bucket", 1000, Duration.ofMinutes(1), 1000));

	@Test
	void noTwoTakersGetTheSameUnit() throws Exception {
		Lease lease = new Lease(new Bucket(this.family, "ann"), "me", LeaseTerms.none(this.family, 0, 1000));
		LeaseTerms terms = new LeaseTerms(this.family, 0, Long.MIN_VALUE, 0, 1000, SEEN, UNITS, UNITS);
		assertThat(lease.leased(terms, UNITS, 0, 0)).isZero();
		ExecutorService takers = Executors.newFixedThreadPool(THREADS);
		List<Future<Long>> taken = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			taken.add(takers.submit(() -> takeAll(lease, terms)));
		}
		long sum = 0;
		for (Future<Long> one : taken) {
			sum += one.get();
		}
		takers.shutdown();
		assertThat(sum).isEqualTo(UNITS);
		assertThat(lease.close()).isZero();
	}

	private static long takeAll(Lease lease, LeaseTerms terms) {
		long taken = 0;
		while (lease.take(terms, 1, 1) != Lease.MISS) {
			taken++;
		}
		return taken;
	}

	@Test
	void nothingIsTakenFromOrAddedToALeaseThatIsClosed() {
		Lease lease = new Lease(new Bucket(this.family, "ann"), "me", LeaseTerms.none(this.family, 0, 1000));
		LeaseTerms terms = new LeaseTerms(this.family, 0, Long.MIN_VALUE, 0, 1000, SEEN, 10, 10);
		lease.leased(terms, 10, 0, 0);
		assertThat(lease.take(terms, 4, 1)).isEqualTo(6);
		assertThat(lease.refund(5, 0, 1)).as("more than the store knows of").isFalse();
		assertThat(lease.refund(4, 0, 1)).isTrue();
		assertThat(lease.close()).isEqualTo(10);
		assertThat(lease.close()).isZero();
		assertThat(lease.take(terms, 1, 1)).isEqualTo(Lease.MISS);
		assertThat(lease.refund(1, 0, 1)).isFalse();
		assertThat(lease.leased(terms, 5, 0, 1)).isEqualTo(Lease.MISS);
	}

	// The call states the number of held units, and the reply refers to this number.
	@Test
	void nothingComesBackWhileMoreIsLeased() {
		Lease lease = new Lease(new Bucket(this.family, "ann"), "me", LeaseTerms.none(this.family, 0, 1000));
		LeaseTerms terms = new LeaseTerms(this.family, 0, Long.MIN_VALUE, 0, 1000, SEEN, 10, 10);
		lease.leased(terms, 10, 0, 0);
		lease.take(terms, 10, 1);
		assertThat(lease.beginLeasing(1)).isTrue();
		assertThat(lease.refund(5, 0, 1)).isFalse();
		lease.endLeasing();
		assertThat(lease.refund(5, 0, 1)).isTrue();
	}

	@Test
	void formerTermsSpendNothing() {
		Lease lease = new Lease(new Bucket(this.family, "ann"), "me", LeaseTerms.none(this.family, 0, 1000));
		LeaseTerms before = lease.terms();
		LeaseTerms terms = new LeaseTerms(this.family, 0, Long.MIN_VALUE, 0, 1000, SEEN, 10, 10);
		lease.leased(terms, 10, 0, 0);
		assertThat(lease.take(before, 1, 1)).isEqualTo(Lease.MISS);
		assertThat(lease.take(terms, 1, 1)).isEqualTo(9);
	}

}
