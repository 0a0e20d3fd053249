package dev.ratelimit.store;

/**
 * What every store must do. Implement it in a test class, with the hooks of
 * {@link StoreUnderTest}, and JUnit runs it all.
 */
public interface LimitStoreContract extends ChargeContract, AlgorithmContract, SettlementContract, LimitChangeContract,
		DemandContract, ReplayContract, ReplayBoundsContract, ReleaseContract, ContentionContract {

}
