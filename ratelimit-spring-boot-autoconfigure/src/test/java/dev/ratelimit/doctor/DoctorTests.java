package dev.ratelimit.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.store.redis.ClockCheck;
import dev.ratelimit.web.reactive.ReactorNettyCheck;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class DoctorTests {

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

	private final List<Finding> found = new ArrayList<>();

	private final Doctor doctor = new Doctor(List.of(() -> {
		throw new IllegalStateException("broken check");
	}, () -> List.copyOf(this.found)), this.now::get);

	@Test
	void eachThingIsSaidOnceWithItsCodeAndLink(CapturedOutput output) {
		this.found.add(new Finding(FindingCode.ONE_ADDRESS, "rules [once]", "All came from one."));
		this.doctor.examine();
		this.found.set(0, Finding.counted(FindingCode.ONE_ADDRESS, "rules [once]", "More came from one.", 7));
		this.doctor.examine();
		assertThat(output).containsOnlyOnce("rules [once]");
		assertThat(output.toString().lines().filter((line) -> line.contains("rules [once]"))).singleElement()
			.asString()
			.contains("WARN", "RL002 All requests come from one address",
					"All came from one. See docs/doctor.md#rl002");
	}

	@Test
	void eachOfSeveralFindingsAtOneLocationIsLogged(CapturedOutput output) {
		this.found.add(new Finding(FindingCode.OVERRIDE_NOT_APPLIED, "redis", "The first."));
		this.doctor.examine();
		this.found.add(new Finding(FindingCode.OVERRIDE_NOT_APPLIED, "redis", "The second."));
		this.doctor.examine();
		this.doctor.examine();
		assertThat(output).containsOnlyOnce("The first.").containsOnlyOnce("The second.");
	}

	@Test
	void findingsStandSinceTheyWereSeenFirstAndAreInOrder() {
		this.found.add(new Finding(FindingCode.REDUNDANT_RULE, "b", ""));
		this.doctor.examine();
		this.now.set(Instant.EPOCH.plusSeconds(60));
		this.found.add(new Finding(FindingCode.REDUNDANT_RULE, "a", ""));
		this.found.add(new Finding(FindingCode.ONE_ADDRESS, "c", ""));
		assertThat(this.doctor.examine()).extracting((diagnosis) -> diagnosis.finding().location())
			.containsExactly("c", "a", "b");
		assertThat(this.doctor.examine()).extracting(ActiveFinding::since)
			.containsExactly(this.now.get(), this.now.get(), Instant.EPOCH);
		this.found.clear();
		assertThat(this.doctor.examine()).isEmpty();
	}

	@Test
	void aFindingThatReturnsIsLoggedAgainAndHasANewTime(CapturedOutput output) {
		Finding finding = new Finding(FindingCode.REDUNDANT_RULE, "rules [returns]", "");
		this.found.add(finding);
		this.doctor.examine();
		this.found.clear();
		this.doctor.examine();
		this.now.set(Instant.EPOCH.plusSeconds(60));
		this.found.add(finding);
		assertThat(this.doctor.examine()).extracting(ActiveFinding::since).containsExactly(this.now.get());
		assertThat(output.toString().lines().filter((line) -> line.contains("rules [returns]"))).hasSize(2);
	}

	@Test
	void aFindingLastsWhileItsCheckFails(CapturedOutput output) {
		AtomicBoolean failing = new AtomicBoolean();
		Finding finding = new Finding(FindingCode.REDUNDANT_RULE, "rules [lasts]", "");
		Doctor doctor = new Doctor(List.of(() -> {
			if (failing.get()) {
				throw new IllegalStateException("on purpose");
			}
			return List.of(finding);
		}), this.now::get);
		doctor.examine();
		failing.set(true);
		assertThat(doctor.examine()).extracting(ActiveFinding::finding).containsExactly(finding);
		failing.set(false);
		this.now.set(Instant.EPOCH.plusSeconds(60));
		assertThat(doctor.examine()).extracting(ActiveFinding::since).containsExactly(Instant.EPOCH);
		assertThat(output).containsOnlyOnce("rules [lasts]");
	}

	@Test
	void aCheckThatFailsAgainIsLoggedAgain(CapturedOutput output) {
		AtomicBoolean failing = new AtomicBoolean();
		Doctor doctor = new Doctor(List.of(() -> {
			if (failing.get()) {
				throw new IllegalStateException("on purpose");
			}
			return List.of();
		}), this.now::get);
		for (int i = 0; i < 2; i++) {
			failing.set(true);
			doctor.examine();
			doctor.examine();
			failing.set(false);
			doctor.examine();
		}
		assertThat(output.toString().split("A doctor check failed", -1)).hasSize(3);
	}

	@Test
	void checkThatFailsHidesNoOther(CapturedOutput output) {
		this.found.add(new Finding(FindingCode.REDUNDANT_RULE, "a", ""));
		assertThat(this.doctor.examine()).hasSize(1);
		assertThat(this.doctor.examine()).hasSize(1);
		assertThat(output).containsOnlyOnce("A doctor check failed");
	}

	@Test
	void aCheckThatDoesNotReturnDoesNotHideWhatOthersFind() {
		CountDownLatch over = new CountDownLatch(1);
		Finding finding = new Finding(FindingCode.REDUNDANT_RULE, "somebody", "something");
		AtomicInteger calls = new AtomicInteger();
		Doctor patient = new Doctor(List.of(() -> {
			calls.incrementAndGet();
			await(over);
			return List.of();
		}, () -> List.of(finding)), this.now::get, Duration.ofSeconds(1));
		for (int i = 0; i < 2; i++) {
			Awaitility.await()
				.untilAsserted(() -> assertThat(patient.examine()).extracting(ActiveFinding::finding)
					.containsExactly(finding));
		}
		assertThat(calls).as("one that has not returned is not called again").hasValue(1);
		over.countDown();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@ParameterizedTest
	@CsvSource({ "0.0.0.0/0, true", "::/0, true", "10.0.0.0/8, false", "0.0.0.0/00, true", "10.0.0.1, false",
			"fd00::/8, false", "0.0.0.0/10, false" })
	void listOfProxiesThatHoldsEverybodyIsFound(String network, boolean found) {
		assertThat(new TrustedProxiesCheck("proxies", List.of("192.168.0.0/16", network)).findings())
			.extracting(Finding::code)
			.isEqualTo((found) ? List.of(FindingCode.TRUSTED_ANY_PEER) : List.of());
	}

	@ParameterizedTest
	@CsvSource({ "1.3.7, true", "1.3.8, false", "1.3.10, false", "1.2.20, true", "1.4.0-M1, false", "2.0.0, false",
			"1.3.8-SNAPSHOT, false", "1.3.7.RELEASE, true", "unknown, false", ", false" })
	void versionsOfReactorNettyThatStopReadingAreFound(@Nullable String version, boolean found) {
		assertThat(new ReactorNettyCheck(version).findings()).extracting(Finding::code)
			.isEqualTo((found) ? List.of(FindingCode.HANGING_CONNECTIONS) : List.of());
	}

	@Test
	void clocksThatDifferByMoreThanASecondAreFound() {
		ClockCheck check = new ClockCheck(() -> Map.of("near", 1000L, "ahead", 1001L, "behind", -5000L));
		assertThat(check.findings()).extracting(Finding::location).containsExactlyInAnyOrder("ahead", "behind");
		assertThat(check.findings()).extracting(Finding::detail)
			.containsExactlyInAnyOrder("Its clock is 1001 ms ahead of the clock of this instance.",
					"Its clock is 5000 ms behind the clock of this instance.");
	}

}
