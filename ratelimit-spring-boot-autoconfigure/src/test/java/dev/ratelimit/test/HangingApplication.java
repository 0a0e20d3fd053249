package dev.ratelimit.test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Hangs during the main method or during the shutdown of the JVM.
 */
public final class HangingApplication {

	private HangingApplication() {
	}

	public static void main(String[] arguments) {
		HangDetector.begin("A test", HangDetector.STEP);
		if (arguments[0].equals("hangsInATest")) {
			Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("The hook ran")));
			hangsInATest();
		}
		if (arguments[0].equals("hangs")) {
			hangs();
		}
		Runtime.getRuntime().addShutdownHook(new Thread(HangingApplication::hangs));
	}

	private static void hangsInATest() {
		HangDetector.begin("A test", Duration.ofSeconds(1));
		hangs();
	}

	private static void hangs() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
