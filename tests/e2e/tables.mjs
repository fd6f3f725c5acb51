// Small tables that several tests load, with what is true of them.

/** Purchases in four shops: totals 310.5, 145, 912 and 78.25. */
export const PURCHASES = `shop,amount
Kuper,100
Vkusno,500
Sever,45
Kuper,210.5
Zarya,78.25
Vkusno,412
Sever,100
`;

/** Totals by shop, as `group_by: "shop"` orders them. */
export const TOTALS = [
  ["Kuper", 310.5],
  ["Sever", 145],
  ["Vkusno", 912],
  ["Zarya", 78.25],
];

/** The query that gives [`TOTALS`], as a model would write it. */
export const BY_SHOP = {
  table: "purchases",
  group_by: "shop",
  select: "sum(amount)",
  title: "Total amount by shop",
};

/** Functions and what each calls: nodes and links, as they are kept of a code base. */
export const CALLS = `source,target,type
api_auct,helper_fn,calls
api_auct,validate_data,calls
api_auct,save_result,calls
save_result,ledger,updates
validate_data,helper_fn,calls
helper_fn,log,calls
report,ledger,reads_from
`;
