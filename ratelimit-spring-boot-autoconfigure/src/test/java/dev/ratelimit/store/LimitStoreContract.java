package dev.ratelimit.store;

/**
 * The contract of every store. Implement it in a test class with the methods of
 * {@link StoreUnderTest}, and JUnit runs all tests.
 * <p>
 * No method of a store may block. These tests cannot verify this, and the guard in front
 * of stores cannot end a call that blocks its thread.
 */
public interface LimitStoreContract extends ChargeContract, AlgorithmContract, SettlementContract, LimitChangeContract,
		ClockContract, DemandContract, ReplayContract, ReplayBoundsContract, ContentionContract {

}
